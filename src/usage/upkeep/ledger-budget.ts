import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { ledgerAlarmShare, ledgerCheckMs, ledgerShrunkShare } from '../../limits.ts'
import type { Database } from '../../storage/database.ts'
import { journalAlarmBytes } from '../../storage/storage-limits.ts'
import { queries } from '../../storage/statement.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { deleteInBatches, deleteOldEntries } from './delete-entries.ts'

type BudgetOptions = {
  bytesMax: number
  /** Deletes receipts beyond the budget. Without it, only the log and the metrics tell the size. Default: true. */
  deletes?: boolean
  logger: Logger
  /** Journal size at which the log warns. Default: `journalAlarmBytes`. */
  journalAlarm?: number
}

/**
 * Keeps the database within its budget of bytes. It warns when the budget is almost used up. Beyond the budget it
 * deletes the oldest receipts, even recent ones, unless `deletes` is false; their sums stay. It also warns if the journal
 * cannot be truncated.
 */
export class LedgerBudget {
  readonly bytesMax: number
  readonly #database: Database
  readonly #deletes: boolean
  readonly #logger: Logger
  readonly #timer: NodeJS.Timeout
  readonly #closing = new AbortController()
  readonly #journalAlarm: number
  #bytes = 0
  #journalBytes = 0
  #receiptsDeleted = 0
  #isAlarmed = false
  #isJournalAlarmed = false
  #check: Promise<void> | undefined

  private constructor(database: Database, options: BudgetOptions) {
    const { bytesMax, deletes = true, logger, journalAlarm = journalAlarmBytes } = options
    this.#database = database
    this.bytesMax = bytesMax
    this.#deletes = deletes
    this.#journalAlarm = journalAlarm
    this.#logger = logger
    this.#timer = setInterval(() => this.#checkAndLog(), ledgerCheckMs)
    this.#timer.unref()
  }

  /** Starts the first check in the background. */
  static start(database: Database, options: BudgetOptions): LedgerBudget {
    const budget = new LedgerBudget(database, options)
    budget.#checkAndLog()
    return budget
  }

  /** Bytes in use in the database at the last check. On PostgreSQL, free space of deleted rows counts, too. */
  get bytes(): number {
    return this.#bytes
  }

  /** Bytes of the write-ahead journal beside the database, at the last check; 0 on PostgreSQL. */
  get journalBytes(): number {
    return this.#journalBytes
  }

  /** Number of receipts that were deleted early since the start. */
  get receiptsDeleted(): number {
    return this.#receiptsDeleted
  }

  /**
   * Runs one check at a time: a second call waits for the running one.
   * @throws ServiceError ledger_unavailable
   */
  check(): Promise<void> {
    this.#check ??= this.#enforce().finally(() => (this.#check = undefined))
    return this.#check
  }

  /** Resolves once no deletion runs. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#timer)
    await this.#check?.catch(() => undefined)
  }

  async #enforce(): Promise<void> {
    await this.#measureJournal()
    await this.#measure()
    this.#alarm()
    if (!this.#deletes || this.#bytes <= this.bytesMax) return
    const enough = this.bytesMax * ledgerShrunkShare
    let count = 0
    const goOn = async (deleted: number) => {
      count += deleted
      this.#receiptsDeleted += deleted
      return (await this.#measure()) > enough
    }
    const oldest = deleteOldEntries({ beforeMs: Number.MAX_SAFE_INTEGER })
    try {
      await deleteInBatches(this.#database, oldest, goOn, this.#closing.signal)
    } finally {
      if (count > 0)
        this.#logger.warn('the ledger is over its budget: its oldest receipts were deleted', {
          count,
        })
    }
  }

  #alarm(): void {
    const isAlarmed = this.#bytes > this.bytesMax * ledgerAlarmShare
    const advice = this.#deletes
      ? 'Beyond them its oldest receipts are deleted. Set PIPIT_LEDGER_MAX_GIB or PIPIT_RECEIPT_DAYS'
      : 'On PostgreSQL no receipt is deleted for that. See to its disk, then set PIPIT_LEDGER_MAX_GIB, or lower ' +
        'PIPIT_RECEIPT_DAYS'
    if (isAlarmed && !this.#isAlarmed)
      this.#logger.warn(
        `the ledger uses ${toMiB(this.#bytes)} of ${toMiB(this.bytesMax)} MiB. ${advice}`,
      )
    this.#isAlarmed = isAlarmed
  }

  /**
   * Measures the journal. A reader that does not end its transaction blocks every checkpoint, so each write makes the
   * journal longer.
   */
  async #measureJournal(): Promise<void> {
    const journal = await stat(join(this.#database.dataDir, 'pipit.db-wal')).catch(() => undefined)
    this.#journalBytes = journal?.size ?? 0
    const isAlarmed = this.#journalBytes > this.#journalAlarm
    if (isAlarmed && !this.#isJournalAlarmed)
      this.#logger.warn(
        `the journal of the ledger has ${toMiB(this.#journalBytes)} MiB and grows, because another ` +
          'program has been reading pipit.db in one transaction. End that program',
      )
    this.#isJournalAlarmed = isAlarmed
  }

  async #measure(): Promise<number> {
    const [found] = await this.#database.read(usedBytes)
    this.#bytes = Number(found?.bytes ?? 0)
    return this.#bytes
  }

  #checkAndLog(): void {
    this.check().catch((error: unknown) =>
      this.#logger.warn('the size of the ledger could not be checked', { error }),
    )
  }
}

const usedBytes = queries.selectNoFrom(
  sql<number>`(select (page_count - freelist_count) * page_size
    from pragma_page_count, pragma_freelist_count, pragma_page_size)`.as('bytes'),
)

function toMiB(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
