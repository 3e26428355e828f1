import { ServiceError } from '../../errors.ts'
import {
  retriedBytesMax,
  retriedWritesMax,
  retryPauseMaxMs,
  retryPauseMinMs,
} from '../../limits.ts'
import type { Database } from '../../storage/database.ts'
import type { Guarded } from '../../storage/unit.ts'
import type { Logger } from '../../telemetry/logger.ts'

type Waiting = { unit: Guarded; bytes: number }

/**
 * Retries failed ledger writes that must not be lost, with growing pauses, until they are on disk. Their guards make a
 * retry harmless if an earlier attempt took effect after all.
 */
export class RetriedWrites {
  readonly #database: Database
  readonly #logger: Logger
  /** Waiting writes by request id. */
  readonly #waiting = new Map<string, Waiting>()
  /** Ids of the waiting writes that may be dropped to make room, oldest first. */
  readonly #droppable = new Set<string>()
  #bytes = 0
  #pauseMs = retryPauseMinMs
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(database: Database, logger: Logger) {
    this.#database = database
    this.#logger = logger
  }

  has(requestId: string): boolean {
    return this.#waiting.has(requestId)
  }

  /**
   * Queues a write. If there is no room, the oldest withdrawals are given up first, then the write itself. The entry of
   * such a write is later closed as if a crash had left it open.
   */
  add(requestId: string, unit: Guarded, isWithdrawal: boolean): void {
    const bytes = sizeOf(unit)
    this.#remove(requestId)
    while (this.#waiting.size >= retriedWritesMax || this.#bytes + bytes > retriedBytesMax) {
      const [oldest] = this.#droppable
      this.#logger.error('a write of the ledger is given up: too many wait', {
        requestId: oldest ?? requestId,
      })
      if (oldest === undefined) return
      this.#remove(oldest)
    }
    if (isWithdrawal) this.#droppable.add(requestId)
    this.#waiting.set(requestId, { unit, bytes })
    this.#bytes += bytes
    this.#schedule()
  }

  /** Retries all waiting writes once. The next start closes the entries of those that still fail. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    if (this.#waiting.size > 0) await this.#writeAll()
    const count = this.#waiting.size
    if (count > 0) this.#logger.error('writes of the ledger are left to the next start', { count })
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#closed || this.#waiting.size === 0) return
    this.#timer = setTimeout(() => void this.#retry(), this.#pauseMs)
    this.#timer.unref()
  }

  async #retry(): Promise<void> {
    const written = await this.#writeAll()
    if (written > 0) this.#logger.info('delayed writes of the ledger are done', { count: written })
    this.#pauseMs = written > 0 ? retryPauseMinMs : Math.min(2 * this.#pauseMs, retryPauseMaxMs)
    this.#timer = undefined
    this.#schedule()
  }

  /** Retries all waiting writes. Returns the number that no longer wait. */
  async #writeAll(): Promise<number> {
    const before = [...this.#waiting]
    const done = await Promise.all(before.map(([id, waiting]) => this.#write(id, waiting)))
    return done.filter(Boolean).length
  }

  async #write(requestId: string, waiting: Waiting): Promise<boolean> {
    try {
      await this.#database.writeGuarded(waiting.unit, 'essential')
    } catch (error) {
      if (error instanceof ServiceError) return false
      // A retry would fail in the same way.
      this.#logger.error('a write of the ledger failed', { requestId, error })
    }
    if (this.#waiting.get(requestId) === waiting) this.#remove(requestId)
    return true
  }

  #remove(requestId: string): void {
    this.#bytes -= this.#waiting.get(requestId)?.bytes ?? 0
    this.#waiting.delete(requestId)
    this.#droppable.delete(requestId)
  }
}

/** Returns the bytes of a unit's texts, such as a stored reply. The rest of a unit is small. */
function sizeOf({ guard, steps }: Guarded): number {
  return [guard, ...steps]
    .flatMap(({ parameters }) => parameters)
    .reduce<number>((sum, value) => sum + (typeof value === 'string' ? 2 * value.length : 0), 0)
}
