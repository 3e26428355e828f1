import { dayOf, monthOf, startOfNextDay, startOfNextMonth } from '../utc-periods.ts'
import type { GiveBack, LimitCounter } from './limit-counter.ts'

/** Number of periods kept, so that the use of both dates survives the correction of a wrong clock. */
const periodsMax = 4

const periods = {
  day: { numberOf: dayOf, endMs: startOfNextDay },
  month: { numberOf: monthOf, endMs: startOfNextMonth },
} as const

/** Use by UTC day or month. Unused parts go back to the period that they were taken from. */
export class PeriodCounter implements LimitCounter {
  readonly #period: (typeof periods)[keyof typeof periods]
  readonly #used = new Map<number, number>()

  constructor(period: keyof typeof periods) {
    this.#period = periods[period]
  }

  waitMs(limit: number, amount: number, atMs: number): number {
    return this.#usedAt(atMs) + amount <= limit ? 0 : Infinity
  }

  take(_limit: number | undefined, amount: number, atMs: number): GiveBack {
    const period = this.#period.numberOf(atMs)
    this.#add(period, amount)
    return (unused) => this.#add(period, -unused)
  }

  restore(amount: number, atMs: number): void {
    this.#add(this.#period.numberOf(atMs), amount)
  }

  remaining(limit: number, atMs: number): number {
    return Math.max(0, limit - this.#usedAt(atMs))
  }

  resetMs(_limit: number, atMs: number): number {
    return this.#period.endMs(atMs) - atMs
  }

  isIdle(atMs: number): boolean {
    return this.#usedAt(atMs) === 0
  }

  #usedAt(ms: number): number {
    return this.#used.get(this.#period.numberOf(ms)) ?? 0
  }

  #add(period: number, amount: number): void {
    const used = this.#used.get(period)
    if (used === undefined && amount <= 0) return
    this.#used.set(period, (used ?? 0) + amount)
    if (this.#used.size <= periodsMax) return
    const farthest = [...this.#used.keys()].toSorted(
      (a, b) => Math.abs(b - period) - Math.abs(a - period),
    )[0]
    if (farthest !== undefined) this.#used.delete(farthest)
  }
}
