import type Sqlite from 'better-sqlite3'
import { hourMs } from '../../time/durations.ts'
import { openReadOnly } from '../sqlite/sqlite-file.ts'
import {
  entryRules,
  hourRule,
  type LedgerFault,
  type LedgerRule,
  openMaxMs,
  openRule,
  sumsRule,
  tableRules,
} from './ledger-rules.ts'

/** Maximum number of request ids or keys to report for each fault; a broken ledger may have thousands. */
const namedMax = 3

type Options = {
  /** Current time of the wall clock. */
  nowMs: number
  /** True while a service is running. Without one, open entries stay open until the next start. */
  isServed: boolean
  /** Time after which no further hour is checked. */
  budgetMs: number
}

type LedgerInspection = {
  faults: LedgerFault[]
  entries: number
  /** Entries that are open now. */
  open: number
  /** Start of the oldest hour that was checked; undefined for an empty ledger. */
  sinceMs: number | undefined
  /** True if all hours were checked. */
  isWhole: boolean
}

/**
 * Inspects the ledger in the data directory.
 * @throws Error of SQLite: the file is damaged, locked or of another version
 */
export function inspectLedger(dataDir: string, options: Options): LedgerInspection {
  const db = openReadOnly(dataDir)
  try {
    return inspectTables(db, options)
  } finally {
    db.close()
  }
}

/**
 * Checks the ledger's invariants without changing it. A service may be running. The newest hours come first, as many as
 * `budgetMs` allows. Each rule is one statement that sees one snapshot, so a commit between two rules does not look
 * like a fault.
 */
export function inspectTables(db: Sqlite.Database, options: Options): LedgerInspection {
  const faults = new Faults(db)
  if (options.isServed) faults.look(openRule, { beforeMs: options.nowMs - openMaxMs })
  for (const rule of [...tableRules, sumsRule]) faults.look(rule)
  const checked = inspectHours(db, faults, options.budgetMs)
  return {
    ...checked,
    faults: faults.list(),
    entries: count(db, 'select count(*) from usage'),
    open: count(db, "select count(*) from usage where state = 'reserved' and boot_id >= ''"),
  }
}

function inspectHours(db: Sqlite.Database, faults: Faults, budgetMs: number) {
  const endMs = performance.now() + budgetMs
  const newest = db.prepare('select max(created_ms) from usage where created_ms < ?').pluck()
  const oldestMs = count(db, "select coalesce(min(created_ms), 0) from usage where state = 'final'")
  let sinceMs: number | undefined
  for (;;) {
    const lastMs = newest.get(sinceMs ?? Number.MAX_SAFE_INTEGER)
    if (lastMs === null) return { sinceMs, isWhole: true }
    if (performance.now() > endMs) return { sinceMs, isWhole: false }
    sinceMs = Number(lastMs) - (Number(lastMs) % hourMs)
    const hour = { fromMs: sinceMs, toMs: sinceMs + hourMs }
    for (const rule of entryRules) faults.look(rule, hour)
    faults.look(hourRule, { ...hour, isOldest: oldestMs >= sinceMs ? 1 : 0 })
  }
}

function count(db: Sqlite.Database, sql: string): number {
  return Number(db.prepare(sql).pluck().get())
}

/** Faults by rule, with the first few places found for each. */
class Faults {
  readonly #db: Sqlite.Database
  readonly #places = new Map<LedgerRule, string[]>()
  readonly #prepared = new Map<LedgerRule, Sqlite.Statement>()

  constructor(db: Sqlite.Database) {
    this.#db = db
  }

  look(rule: LedgerRule, parameters: Readonly<Record<string, number>> = {}): void {
    const known = this.#places.get(rule) ?? []
    // Finds one place more than is reported, to see if there are more.
    const most = namedMax + 1 - known.length
    if (most <= 0) return
    const statement = this.#prepared.get(rule) ?? this.#db.prepare(rule.sql)
    this.#prepared.set(rule, statement)
    const rows = statement.pluck().all({ ...parameters, most })
    if (rows.length > 0) this.#places.set(rule, [...known, ...rows.map(String)])
  }

  list(): LedgerFault[] {
    return [...this.#places].map(([{ invariant, text, remedy }, places]) => {
      const named = places.slice(0, namedMax).join(', ')
      const others = places.length > namedMax ? ' and others' : ''
      return { invariant, text: `${text}: ${named}${others}`, remedy }
    })
  }
}
