import { idempotencyMs, retentionIntervalMs } from '../../limits.ts'
import { deleteOldAudit } from '../../storage/audit/audit-log.ts'
import type { Database } from '../../storage/database.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { deleteOldReplies } from '../idempotency-statements.ts'
import { deleteOldTimes } from '../times/usage-times-statements.ts'
import { dayMs } from '../../time/durations.ts'
import { deleteInBatches, deleteOldEntries } from './delete-entries.ts'
import type { ExpiryClock } from './expiry-clock.ts'

type RetentionOptions = {
  receiptDays: number
  logger: Logger
  clock: ExpiryClock
}

/**
 * Deletes expired ledger entries, histograms, idempotency replies and audit log entries. Sums stay. It deletes in small
 * batches, so that other writes do not wait. After a stop, the next start continues.
 */
export class Retention {
  readonly #database: Database
  readonly #receiptMs: number
  readonly #logger: Logger
  readonly #clock: ExpiryClock
  readonly #timer: NodeJS.Timeout
  readonly #closing = new AbortController()
  #sweep: Promise<number> | undefined

  private constructor(database: Database, options: RetentionOptions) {
    this.#database = database
    this.#receiptMs = options.receiptDays * dayMs
    this.#logger = options.logger
    this.#clock = options.clock
    this.#timer = setInterval(() => this.#sweepAndLog(), retentionIntervalMs)
    this.#timer.unref()
  }

  /** Starts the first sweep in the background. */
  static start(database: Database, options: RetentionOptions): Retention {
    const retention = new Retention(database, options)
    retention.#sweepAndLog()
    return retention
  }

  /**
   * Runs one sweep at a time: a second call waits for the running one.
   * @returns the number of deleted rows
   * @throws ServiceError ledger_unavailable
   */
  sweep(): Promise<number> {
    this.#sweep ??= this.#deleteAll().finally(() => (this.#sweep = undefined))
    return this.#sweep
  }

  /** Resolves once no deletion runs. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#timer)
    await this.#sweep?.catch(() => undefined)
  }

  async #deleteAll(): Promise<number> {
    const nowMs = this.#clock.nowMs()
    const entries = deleteOldEntries({ beforeMs: nowMs - this.#receiptMs })
    const times = deleteOldTimes({ beforeMs: nowMs - this.#receiptMs })
    const replies = deleteOldReplies({ beforeMs: nowMs - idempotencyMs })
    let total = 0
    const goOn = (deleted: number) => {
      total += deleted
      return true
    }
    for (const statement of [entries, times, replies, deleteOldAudit(nowMs)])
      await deleteInBatches(this.#database, statement, goOn, this.#closing.signal)
    await this.#clock.save()
    return total
  }

  #sweepAndLog(): void {
    this.sweep().then(
      (count) => {
        if (count > 0) this.#logger.info('old entries of the ledger were deleted', { count })
      },
      (error: unknown) => this.#logger.warn('old entries could not be deleted', { error }),
    )
  }
}
