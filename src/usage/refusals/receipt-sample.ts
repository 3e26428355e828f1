import {
  ratedSubjectsMax,
  refusalReceiptsPerMinute,
  refusalReceiptsPerMinuteOfAll,
} from '../../limits.ts'
import { TokenBucket } from '../limits/token-bucket.ts'

/** Decides which refused requests get a receipt: a maximum per minute for each account and for all accounts. */
export class ReceiptSample {
  readonly #all = new TokenBucket()
  readonly #byAccount = new Map<string, TokenBucket>()
  readonly #steadyMs: () => number

  constructor(steadyMs: () => number = () => performance.now()) {
    this.#steadyMs = steadyMs
  }

  admits(accountId: string): boolean {
    const atMs = Math.floor(this.#steadyMs())
    const own = this.#bucketOf(accountId, atMs)
    if (own.waitMs(refusalReceiptsPerMinute, 1, atMs) > 0) return false
    if (this.#all.waitMs(refusalReceiptsPerMinuteOfAll, 1, atMs) > 0) return false
    own.take(refusalReceiptsPerMinute, 1, atMs)(0, atMs)
    this.#all.take(refusalReceiptsPerMinuteOfAll, 1, atMs)(0, atMs)
    return true
  }

  #bucketOf(accountId: string, atMs: number): TokenBucket {
    const known = this.#byAccount.get(accountId)
    if (known !== undefined) return known
    if (this.#byAccount.size >= ratedSubjectsMax)
      for (const [id, bucket] of this.#byAccount)
        if (bucket.isIdle(atMs)) this.#byAccount.delete(id)
    const bucket = new TokenBucket()
    this.#byAccount.set(accountId, bucket)
    return bucket
  }
}
