import type { GiveBack, LimitCounter } from './limit-counter.ts'

/** Retry delay. It is fixed, because the end of a running request is not known. */
const retryMs = 1000

/** Counts running requests. */
export class ConcurrencyCounter implements LimitCounter {
  #running = 0

  waitMs(limit: number, amount: number): number {
    return this.#running + amount <= limit ? 0 : retryMs
  }

  /** Takes slots until the request ends, which frees all of them, used or not. */
  take(_limit: number | undefined, amount: number): GiveBack {
    this.#running += amount
    return () => {
      this.#running -= amount
    }
  }

  /** Does nothing, because the requests of an earlier run ended when that run ended. */
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
