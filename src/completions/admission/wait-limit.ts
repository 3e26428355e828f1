import { shortWaitMinMs, shortWaitServices, standingOverloadMs } from './queue-limits.ts'

/**
 * The longest wait in the queue. It is short in a standing overload, which begins when the queue was not empty for
 * `standingOverloadMs` and requests were refused in that time, and ends after as much time without a refusal. A long
 * queue then only makes every request late. A queue of patient clients that all get served is no overload.
 */
export class WaitLimit {
  readonly #longMs: number
  /** Since when requests wait; undefined while none does. */
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

  /** Counts a request that was refused because too many came. */
  noteRefusal(nowMs: number): void {
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
