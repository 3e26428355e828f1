import {
  idempotencyMs,
  retentionBatchMax,
  retentionIntervalMs,
  retentionPauseMs,
} from '../limits.ts'
import type { Database } from '../storage/database.ts'
import { queries, type Statement, template } from '../storage/statement.ts'
import type { Logger } from '../telemetry/logger.ts'
import { deleteOldReplies } from './idempotency-statements.ts'
import { dayMs } from './utc-periods.ts'

type RetentionOptions = {
  receiptDays: number
  logger: Logger
  now?: () => number
}

/**
 * Deletes expired entries of the ledger and expired idempotency replies; sums stay. It deletes in small batches, so
 * that other writes do not wait. After a stop, the next start continues.
 */
export class Retention {
  readonly #database: Database
  readonly #receiptMs: number
  readonly #logger: Logger
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #endPause: (() => void) | undefined
  #sweep: Promise<number> | undefined
  #closed = false

  private constructor(database: Database, options: RetentionOptions) {
    this.#database = database
    this.#receiptMs = options.receiptDays * dayMs
    this.#logger = options.logger
    this.#now = options.now ?? Date.now
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
   * @returns the number of deleted entries and replies
   * @throws ServiceError ledger_unavailable
   */
  sweep(): Promise<number> {
    this.#sweep ??= this.#deleteAll().finally(() => (this.#sweep = undefined))
    return this.#sweep
  }

  /** Resolves once no deletion runs. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    this.#endPause?.()
    await this.#sweep?.catch(() => undefined)
  }

  async #deleteAll(): Promise<number> {
    const entries = deleteOldEntries({ beforeMs: this.#now() - this.#receiptMs })
    const replies = deleteOldReplies({ beforeMs: this.#now() - idempotencyMs })
    return (await this.#deleteInBatches(entries)) + (await this.#deleteInBatches(replies))
  }

  async #deleteInBatches(statement: Statement): Promise<number> {
    let total = 0
    while (!this.#closed) {
      const deleted = await this.#database.write([statement])
      total += deleted
      if (deleted < retentionBatchMax) break
      await this.#pause()
    }
    return total
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#endPause = undefined
        resolve()
      }
      const timer = setTimeout(end, retentionPauseMs)
      this.#endPause = end
    })
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

/** Reserved entries stay, whatever their age, because they are not settled yet. */
const deleteOldEntries = template<{ beforeMs: number }>((value) =>
  queries
    .deleteFrom('usage')
    .where('request_id', 'in', (eb) =>
      eb
        .selectFrom('usage')
        .select('request_id')
        .where('created_ms', '<', value('beforeMs'))
        .where('state', '=', 'final')
        .orderBy('created_ms')
        .limit(retentionBatchMax),
    ),
)
