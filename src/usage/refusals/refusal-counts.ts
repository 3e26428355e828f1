import { randomUUID } from 'node:crypto'
import type { ErrorCode } from '../../errors.ts'
import { refusalCountsMax, refusalCountsMs } from '../../limits.ts'
import type { Database } from '../../storage/database.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { claimKey, keepReply, releaseKey } from '../idempotency-statements.ts'
import { addToSums, type Counted } from '../usage-sums-statements.ts'
import { startOfHour } from '../utc-periods.ts'
import { addToErrors } from './usage-errors-statements.ts'

type Refusal = Counted & { code: ErrorCode | undefined }
/** Counts that are written together, at most once for each id. */
type Batch = { readonly id: string; readonly counts: readonly Refusal[] }

/**
 * Counts refused requests that get no receipt, and adds them to the sums once a second. So even a flood of them writes
 * only a few rows per second. A crash loses the counts of the last second.
 */
export class RefusalCounts {
  readonly #database: Database
  readonly #now: () => number
  readonly #logger: Logger
  /** Counts by account, key, hour and code. */
  #counts = new Map<string, Refusal>()
  /** Counts that are being written, or whose write has failed and may have taken effect all the same. */
  #batch: Batch | undefined
  /** Id of the last batch that was written. */
  #writtenId = ''
  #timer: NodeJS.Timeout | undefined
  #flushing = Promise.resolve()
  #added = 0
  /** True after a failed write, until a write succeeds. */
  #isFailing = false

  constructor(database: Database, now: () => number, logger: Logger) {
    this.#database = database
    this.#now = now
    this.#logger = logger
  }

  /** Refusals that were added since the start. */
  get added(): number {
    return this.#added
  }

  add(refusal: Refusal): void {
    this.#added += 1
    this.#merge(refusal)
    this.#schedule()
  }

  /** Writes the counts. If that fails, they wait for the next second. Never throws. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#writeAll())
    return this.#flushing
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), refusalCountsMs).unref()
  }

  async #writeAll(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      if (this.#batch !== undefined) await this.#write(this.#batch)
      if (this.#counts.size === 0) return
      this.#batch = { id: randomUUID(), counts: [...this.#counts.values()] }
      this.#counts = new Map()
      await this.#write(this.#batch)
    } catch (error) {
      // An outage would otherwise add a line each second.
      if (!this.#isFailing)
        this.#logger.warn('refused requests could not be counted yet', { error })
      this.#isFailing = true
      this.#schedule()
    }
  }

  /**
   * Adds a batch to the sums, unless an earlier write of it took effect. The guard is an idempotency key, which the
   * next batch releases; the last key of a service run expires like the key of a reply.
   */
  async #write({ id, counts }: Batch): Promise<void> {
    const nowMs = this.#now()
    const key = { accountId: '', route: 'refusals', keyDigest: id, fingerprint: '', requestId: id }
    await this.#database.writeGuarded({
      guard: claimKey({ ...key, nowMs, expiredMs: 0 }),
      steps: [
        keepReply({ requestId: id, reply: '{}', bytes: 0, nowMs }),
        releaseKey({ requestId: this.#writtenId }),
      ],
      additions: counts.flatMap(toAdditions),
    })
    this.#isFailing = false
    this.#writtenId = id
    this.#batch = undefined
  }

  /** Adds a refusal to its count. Beyond `refusalCountsMax` counts, refusals that need a new count are not counted. */
  #merge(refusal: Refusal): void {
    const { accountId, keyId, createdMs, code = '' } = refusal
    const id = `${accountId} ${keyId} ${startOfHour(createdMs)} ${code}`
    const known = this.#counts.get(id)
    if (known === undefined) {
      if (this.#counts.size < refusalCountsMax) this.#counts.set(id, { ...refusal })
      return
    }
    known.requests += refusal.requests
    known.errors += refusal.errors
    known.promptTokens += refusal.promptTokens
    known.cachedTokens += refusal.cachedTokens
    known.completionTokens += refusal.completionTokens
  }
}

function toAdditions({ code, ...counted }: Refusal) {
  const sums = addToSums(counted)
  if (code === undefined) return [sums]
  return [sums, addToErrors({ ...counted, code, receipts: 0, refused: counted.requests })]
}
