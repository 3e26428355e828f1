const tickMs = 10
/** Delays below this are part of the margin. */
const shortMs = 30
/** A late tick says something about replies that were read so long before or after it. */
const reachMs = 500
/** A reply may be this much older than we see it, without any stall. */
const marginMs = 50

/** Times at which our own process was late, so that it read replies later than they arrived. */
export class Stalls {
  readonly #timer: NodeJS.Timeout
  readonly #late: { endMs: number; ms: number }[] = []
  #lastMs = performance.now()

  constructor() {
    this.#timer = setInterval(() => this.#tick(), tickMs)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Time by which a reply that was read at `ms` may have arrived earlier. */
  marginAt(ms: number): number {
    const near = this.#late.filter(
      (one) => one.endMs >= ms - reachMs && one.endMs - one.ms <= ms + reachMs,
    )
    return marginMs + near.reduce((sum, one) => sum + one.ms, 0)
  }

  #tick(): void {
    const nowMs = performance.now()
    const ms = nowMs - this.#lastMs - tickMs
    this.#lastMs = nowMs
    if (ms > shortMs) this.#late.push({ endMs: nowMs, ms })
  }
}
