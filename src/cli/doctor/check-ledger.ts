import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isServed } from '../../storage/service-file.ts'
import { inspectLedger, type LedgerInspection } from '../../storage/inspection/inspect-ledger.ts'
import { codeOf, fault, type Finding, note, ok } from './finding.ts'

/** Time limit of the check, which reads the ledger hour by hour, newest first. `--full` removes the limit. */
const budgetMs = 10_000

/** Checks the invariants of the ledger. Call it only if the database itself is intact. */
export function checkLedger(dataDir: string, { full }: { full: boolean }): Finding[] {
  if (!existsSync(join(dataDir, 'pipit.db'))) return []
  try {
    const served = isServed(dataDir)
    const options = { nowMs: Date.now(), isServed: served, budgetMs: budgetOf(full) }
    return ledgerFindings(inspectLedger(dataDir, options), served)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (/no such (table|column)/.test(text))
      return [note('ledger', 'not checked: start the service once, which upgrades the tables')]
    return [unreadable(error)]
  }
}

export function budgetOf(full: boolean): number {
  return full ? Infinity : budgetMs
}

export function ledgerFindings(
  { faults, entries, open, sinceMs, isWhole }: LedgerInspection,
  isServing: boolean,
): Finding[] {
  if (faults.length > 0)
    return faults.map(({ invariant, text, remedy }) =>
      fault('ledger', `The ledger ${text} (${invariant}).`, remedy),
    )
  const since = sinceMs === undefined ? '' : new Date(sinceMs).toISOString().slice(0, 13)
  const part = isWhole ? '' : `; checked since ${since}Z, --full checks the entries before it too`
  const left = open > 0 && !isServing ? `; the next start closes ${open} open entries` : ''
  return [ok('ledger', `${entries} entries agree with their sums${left}${part}`)]
}

export function unreadable(error: unknown): Finding {
  return fault(
    'ledger',
    `The ledger cannot be read (${codeOf(error)}).`,
    'Run `pipit doctor` again. If it fails again, see the fault of the database.',
  )
}
