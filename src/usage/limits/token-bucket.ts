import type { GiveBack, LimitCounter } from './limit-counter.ts'
import { minuteMs } from '../../time/durations.ts'

/** A limit of n per minute refills n units per millisecond, so all counts are whole numbers. */
const unitsPerToken = 60_000

/** Position in the queue of debt at which the part of one request ends. */
type Share = { end: number }

/**
 * A token bucket for a limit per minute, kept as debt (the generic cell rate algorithm): each `take` adds to the
 * debt, which is paid off at the rate of the limit, oldest part first. A late `GiveBack` returns only the part
 * that is not paid off yet, so callers never get more than the limit. See docs/decisions/0007.
 */
export class TokenBucket implements LimitCounter {
  #taken = 0
  #paid = 0
  #atMs = 0
  /** Limit of the latest call; undefined if there was none. */
  #limit: number | undefined
  /** Parts that may still be given back. */
  readonly #shares = new Set<Share>()

  waitMs(limit: number, amount: number, atMs: number): number {
    if (amount > limit) return Infinity
    this.#pay(limit, atMs)
    const excess = this.#taken - this.#paid + (amount - limit) * unitsPerToken
    return Math.max(0, Math.ceil(excess / limit))
  }

  /** Adds `amount` to the debt, which is not paid off while there is no limit. */
  take(limit: number | undefined, amount: number, atMs: number): GiveBack {
    this.#pay(limit, atMs)
    this.#taken += amount * unitsPerToken
    const share = { end: this.#taken }
    this.#shares.add(share)
    return (unused, steadyMs) => this.#giveBack(share, unused, steadyMs)
  }

  restore(amount: number, atMs: number): void {
    this.#pay(undefined, atMs)
    this.#taken += amount * unitsPerToken
  }

  remaining(limit: number, atMs: number): number {
    this.#pay(limit, atMs)
    const debt = this.#taken - this.#paid
    return Math.max(0, Math.floor((limit * unitsPerToken - debt) / unitsPerToken))
  }

  resetMs(limit: number, atMs: number): number {
    this.#pay(limit, atMs)
    return Math.ceil((this.#taken - this.#paid) / limit)
  }

  /** Returns true if no request holds a part and no debt is left. A minute without use pays off any limit's debt. */
  isIdle(atMs: number): boolean {
    return this.#shares.size === 0 && (this.#isEmpty() || atMs - this.#atMs >= minuteMs)
  }

  #giveBack(share: Share, amount: number, atMs: number): void {
    // The limit may have changed since the part was taken.
    this.#pay(this.#limit, atMs)
    this.#shares.delete(share)
    const credit = Math.min(amount * unitsPerToken, Math.max(0, share.end - this.#paid))
    this.#taken -= credit
    for (const later of this.#shares) if (later.end > share.end) later.end -= credit
  }

  #pay(limit: number | undefined, atMs: number): void {
    const elapsedMs = Math.max(0, atMs - this.#atMs)
    this.#atMs = Math.max(this.#atMs, atMs)
    const isChanged = limit !== this.#limit
    this.#limit = limit
    if (limit === undefined) return
    // After a change of the limit or a restart, the debt may exceed the limit. The debt is then cut to the limit (an
    // empty bucket), oldest part first, so that a minute without use pays it off. Use beyond a reservation exceeds the
    // limit too, and is not forgiven while requests run.
    if (isChanged || this.#shares.size === 0)
      this.#paid = Math.max(this.#paid, this.#taken - limit * unitsPerToken)
    this.#paid = Math.min(this.#taken, this.#paid + elapsedMs * limit)
    if (this.#shares.size > 0 || !this.#isEmpty()) return
    this.#taken = 0
    this.#paid = 0
  }

  #isEmpty(): boolean {
    return this.#taken === this.#paid
  }
}
