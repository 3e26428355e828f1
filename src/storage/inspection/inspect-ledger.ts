import type Sqlite from 'better-sqlite3'
import { dayMs, hourMs } from '../../time/durations.ts'
import { openReadOnly } from '../sqlite/sqlite-file.ts'
import {
  entryRules,
  hourRule,
  type LedgerFault,
  type LedgerRule,
  lostHoursRule,
  openMaxMs,
  openRule,
  sumsRule,
  tableRules,
} from './ledger-rules.ts'

/** Maximum number of request ids or keys to report for each fault; a broken ledger may have thousands. */
const namedMax = 3
/** Minimum time for which entries are kept: the least of PIPIT_RECEIPT_DAYS. */
const keptMinMs = dayMs

export type InspectionOptions = {
  /** Current time of the wall clock. */
  nowMs: number
  /** True while a service is running. Without one, open entries stay open until the next start. */
  isServed: boolean
  /** Time after which no further hour is checked. */
  budgetMs: number
}

export type LedgerInspection = {
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
export function inspectLedger(dataDir: string, options: InspectionOptions): LedgerInspection {
  const db = openReadOnly(dataDir)
  try {
    return inspectTables(db, options)
  } finally {
    db.close()
  }
}

/** Like `inspectLedger`, for an open database. */
export function inspectTables(db: Sqlite.Database, options: InspectionOptions): LedgerInspection {
  const prepared = new Map<string, Sqlite.Statement>()
  const inspection = ledgerQueries(options)
  let step = inspection.next([])
  while (step.done !== true) {
    const { sql, parameters } = step.value
    const statement = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, statement)
    step = inspection.next(statement.pluck().all(parameters))
  }
  return step.value
}

/** A query for one column. In the text, `:name` is the place of a value. */
export type InspectionQuery = {
  readonly sql: string
  readonly parameters: Readonly<Record<string, number>>
}

/** Takes the values of each query's column, and returns the result after the last one. */
type Inspection<Result> = Generator<InspectionQuery, Result, readonly unknown[]>

/**
 * Checks the ledger's invariants by queries, which change nothing. A service may be running. The newest hours come
 * first, as many as `budgetMs` allows. Each rule is one statement that sees one snapshot, so a commit between two rules
 * does not look like a fault.
 */
export function* ledgerQueries(options: InspectionOptions): Inspection<LedgerInspection> {
  const faults = new Faults()
  if (options.isServed) yield* faults.look(openRule, { beforeMs: options.nowMs - openMaxMs })
  for (const rule of [...tableRules, sumsRule]) yield* faults.look(rule)
  yield* faults.look(lostHoursRule, { keptFromMs: options.nowMs - keptMinMs })
  const checked = yield* inspectHours(faults, options.budgetMs)
  return {
    ...checked,
    faults: faults.list(),
    entries: Number(yield* first('select count(*) from usage')),
    open: Number(
      yield* first("select count(*) from usage where state = 'reserved' and boot_id >= ''"),
    ),
  }
}

function* inspectHours(
  faults: Faults,
  budgetMs: number,
): Inspection<Pick<LedgerInspection, 'sinceMs' | 'isWhole'>> {
  const endMs = performance.now() + budgetMs
  let sinceMs: number | undefined
  for (;;) {
    const lastMs = yield* first('select max(created_ms) from usage where created_ms < :endMs', {
      endMs: sinceMs ?? Number.MAX_SAFE_INTEGER,
    })
    if (lastMs === null) return { sinceMs, isWhole: true }
    if (performance.now() > endMs) return { sinceMs, isWhole: false }
    sinceMs = Number(lastMs) - (Number(lastMs) % hourMs)
    const hour = { fromMs: sinceMs, toMs: sinceMs + hourMs }
    for (const rule of entryRules) yield* faults.look(rule, hour)
    yield* faults.look(hourRule, hour, ` at ${hourName(sinceMs)}`)
  }
}

function* first(sql: string, parameters: InspectionQuery['parameters'] = {}): Inspection<unknown> {
  return (yield { sql, parameters })[0]
}

/** Faults by rule, with the first few places found for each. */
class Faults {
  readonly #places = new Map<LedgerRule, string[]>()

  list(): LedgerFault[] {
    return [...this.#places].map(([{ invariant, text, remedy }, places]) => {
      const named = places.slice(0, namedMax).join(', ')
      const others = places.length > namedMax ? ' and others' : ''
      return { invariant, text: `${text}: ${named}${others}`, remedy }
    })
  }

  /** @param suffix text added to each place that the rule finds */
  *look(
    rule: LedgerRule,
    parameters: InspectionQuery['parameters'] = {},
    suffix = '',
  ): Inspection<void> {
    const known = this.#places.get(rule) ?? []
    // Finds one place more than is reported, to see if there are more.
    const most = namedMax + 1 - known.length
    if (most <= 0) return
    const found = yield { sql: rule.sql, parameters: { ...parameters, most } }
    const places = found.map((place) => (rule.findsHours ? hourName(Number(place)) : String(place)))
    if (found.length > 0)
      this.#places.set(rule, [...known, ...places.map((place) => `${place}${suffix}`)])
  }
}

function hourName(beginMs: number): string {
  return `${new Date(beginMs).toISOString().slice(0, 13)}Z`
}
