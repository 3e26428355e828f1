import type { ErrorCode } from '../../errors.ts'
import { refusalCountsMax, refusalCountsMs } from '../../limits.ts'
import { addUp } from '../../storage/additions.ts'
import type { Database } from '../../storage/database.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { addToSums, type Counted } from '../usage-sums-statements.ts'
import { startOfHour } from '../utc-periods.ts'
import { addToErrors } from './usage-errors-statements.ts'

type Refusal = Counted & { code: ErrorCode | undefined }

/**
 * Counts refused requests that get no receipt, and adds them to the sums once a second. So even a flood of them writes
 * only a few rows per second. A crash loses the counts of the last second.
 */
export class RefusalCounts {
  readonly #database: Database
  readonly #logger: Logger
  /** Counts by account, key, hour and code. */
  #counts = new Map<string, Refusal>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined

  constructor(database: Database, logger: Logger) {
    this.#database = database
    this.#logger = logger
  }

  add(refusal: Refusal): void {
    this.#merge(refusal)
    this.#timer ??= setTimeout(() => void this.flush(), refusalCountsMs).unref()
  }

  /** Writes the counts. If that fails, they wait for the next second. Never throws. */
  async flush(): Promise<void> {
    await this.#flushing
    this.#flushing = this.#write().finally(() => (this.#flushing = undefined))
    await this.#flushing
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const counts = [...this.#counts.values()]
    if (counts.length === 0) return
    this.#counts = new Map()
    try {
      await this.#database.write(addUp(counts.flatMap(toAdditions)))
    } catch (error) {
      this.#logger.warn('refused requests could not be counted yet', { error })
      for (const one of counts) this.add(one)
    }
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
