import { dayMs } from '../time/durations.ts'

/** Days of a time zone, with its changes between standard and summer time. */
export class LocalDays {
  readonly #format: Intl.DateTimeFormat

  /** @throws RangeError unknown time zone */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  }

  /** Returns the start of every day that overlaps the range, ascending, and the end of the last one. */
  boundaries(fromMs: number, toMs: number): number[] {
    const boundaries: number[] = []
    for (let day = Math.floor(this.#localMs(fromMs) / dayMs); ; day += 1) {
      const beginMs = this.#begin(day * dayMs)
      // A day that the zone skipped begins at the same time as the next one.
      if (beginMs !== boundaries.at(-1)) boundaries.push(beginMs)
      if (beginMs >= toMs && boundaries.length > 1) return boundaries
    }
  }

  /** Returns the first moment at which local clocks show this time or a later one. */
  #begin(localMs: number): number {
    const before = this.#offsetMs(localMs - dayMs)
    if (before === this.#offsetMs(localMs + dayMs)) return localMs - before
    let [early, late] = [localMs - dayMs, localMs + dayMs]
    while (late - early > 1) {
      const middle = Math.floor((early + late) / 2)
      if (this.#localMs(middle) >= localMs) late = middle
      else early = middle
    }
    return late
  }

  #offsetMs(ms: number): number {
    return this.#localMs(ms) - ms
  }

  /** Returns the local time at `ms`, in milliseconds as if it were UTC. */
  #localMs(ms: number): number {
    const wholeMs = Math.floor(ms / 1000) * 1000
    const shown = new Map(
      this.#format.formatToParts(wholeMs).map(({ type, value }) => [type, Number(value)]),
    )
    const of = (part: Intl.DateTimeFormatPartTypes) => shown.get(part) ?? 0
    const localMs = Date.UTC(
      of('year'),
      of('month') - 1,
      of('day'),
      of('hour'),
      of('minute'),
      of('second'),
    )
    return localMs + (ms - wholeMs)
  }
}
