import type { GiveBack, LimitCounter } from './limit-counter.ts'

/** Fixed time to wait, because the end of a running request is not known. */
const retryMs = 1000

/** Requests that run now. */
export class ConcurrencyCounter implements LimitCounter {
  #running = 0

  waitMs(limit: number, amount: number): number {
    return this.#running + amount <= limit ? 0 : retryMs
  }

  /** The end of the request frees its place, whether it was used or not. */
  take(_limit: number | undefined, amount: number): GiveBack {
    this.#running += amount
    return () => {
      this.#running -= amount
    }
  }

  /** Requests of an earlier run have ended with it. */
  restore(): void {}

  remaining(limit: number): number {
    return Math.max(0, limit - this.#running)
  }

  resetMs(): number {
    return 0
  }

  isIdle(): boolean {
    return this.#running === 0
  }
}
