const dayMs = 86_400_000
/** A clock that was set wrong and back finds what was used under both times. */
const periodsMax = 4

/** Tokens by period: those of an earlier one are still given back to that one. */
export class PeriodCounter {
  readonly #used = new Map<number, number>()

  of(period: number): number {
    return this.#used.get(period) ?? 0
  }

  add(period: number, tokens: number): void {
    if (!this.#used.has(period) && tokens <= 0) return
    this.#used.set(period, this.of(period) + tokens)
    if (this.#used.size <= periodsMax) return
    const farthest = [...this.#used.keys()].toSorted(
      (a, b) => Math.abs(b - period) - Math.abs(a - period),
    )[0]
    if (farthest !== undefined) this.#used.delete(farthest)
  }
}

/** Days and months are those of UTC, as numbers. */
export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs)
}

export function startOfDay(ms: number): number {
  return dayOf(ms) * dayMs
}

export function monthOf(ms: number): number {
  const date = new Date(ms)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export function startOfNextDay(ms: number): number {
  return (dayOf(ms) + 1) * dayMs
}

export function startOfMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

export function startOfNextMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
