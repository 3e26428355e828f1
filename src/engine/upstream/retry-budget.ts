import { retryBurst, retryShare } from './upstream-limits.ts'

/** Bounds retries to a share of the requests, so that they cannot multiply the load of a fleet that fails. */
export class RetryBudget {
  #left = retryBurst

  noteRequest(): void {
    this.#left = Math.min(retryBurst, this.#left + retryShare)
  }

  /** Takes one retry; false if there is none left. */
  take(): boolean {
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
