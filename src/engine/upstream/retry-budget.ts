import { retryBurst, retryShare } from './upstream-limits.ts'

/** Limits retries to a share of all requests, so that retries cannot multiply the load on failing upstreams. */
export class RetryBudget {
  #left = retryBurst

  noteRequest(): void {
    this.#left = Math.min(retryBurst, this.#left + retryShare)
  }

  /** Takes one retry from the budget. Returns false if none is left. */
  take(): boolean {
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
