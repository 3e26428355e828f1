import { shortWaitMinMs, shortWaitServices, standingOverloadMs } from './queue-limits.ts'

/**
 * Limits the wait in the queue. The limit is short during a standing overload, when a long queue would only make every
 * request late. An overload begins when the queue has not been empty for `standingOverloadMs` and a request was refused
 * in that time. It ends after `standingOverloadMs` without a refusal. A long queue without refusals is no overload.
 */
export class WaitLimit {
  readonly #longMs: number
  /** Time at which the queue last stopped being empty; undefined while it is empty. */
  #sinceMs: number | undefined
  #refusedMs = -Infinity
  #isStanding = false

  constructor(longMs: number) {
    this.#longMs = longMs
  }

  noteWaiting(nowMs: number): void {
    this.#sinceMs ??= nowMs
  }

  noteEmpty(): void {
    this.#sinceMs = undefined
  }

  /** Records the refusal of a request because of overload. */
  noteRefusal(nowMs: number): void {
    // Ends an overload that is over. Otherwise this refusal would renew it, even hours later.
    this.isStanding(nowMs)
    this.#refusedMs = nowMs
  }

  isStanding(nowMs: number): boolean {
    const isRecent = nowMs - this.#refusedMs <= standingOverloadMs
    const isFull = this.#sinceMs !== undefined && nowMs - this.#sinceMs >= standingOverloadMs
    this.#isStanding = isRecent && (this.#isStanding || isFull)
    return this.#isStanding
  }

  /** @param serviceMs mean time for which a slot is held */
  ms(nowMs: number, serviceMs: number): number {
    if (!this.isStanding(nowMs)) return this.#longMs
    return Math.min(this.#longMs, Math.max(shortWaitServices * serviceMs, shortWaitMinMs))
  }
}
