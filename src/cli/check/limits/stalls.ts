const tickMs = 10
/** Delays up to this length are covered by `marginMs`. */
const shortMs = 30
/** A late tick affects replies that were read within this time before or after it. */
const reachMs = 500
/** Time that may pass between a reply's arrival and our reading it, even without a stall. */
const marginMs = 50

/** Records the times at which our own process stalled and may have read replies late. */
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

  /** Returns the longest possible delay, in ms, between the arrival of a reply and our reading it at `ms`. */
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
