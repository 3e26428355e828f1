import { turnsMax, turnsMin } from './queue-limits.ts'

/** Measures the time between the turns of a line while it has waiting requests. */
export class TurnRate {
  #sinceMs = 0
  /** Times between the latest turns, oldest first. */
  #gapsMs: number[] = []
  #msPerTurn = 0

  /**
   * Mean time between the latest turns, without the longest: one pause, such as a restart of the engine, says nothing
   * about later turns. 0 until enough turns were measured.
   */
  get msPerTurn(): number {
    return this.#msPerTurn
  }

  /** Starts anew, because the line had no waiting request before. */
  begin(nowMs: number): void {
    this.#sinceMs = nowMs
    this.#gapsMs = []
    this.#msPerTurn = 0
  }

  /** Records that a waiting request of the line starts. */
  note(nowMs: number): void {
    const gaps = this.#gapsMs
    gaps.push(nowMs - this.#sinceMs)
    this.#sinceMs = nowMs
    if (gaps.length > turnsMax) gaps.shift()
    if (gaps.length < turnsMin) return
    const total = gaps.reduce((sum, gap) => sum + gap, 0)
    this.#msPerTurn = (total - Math.max(...gaps)) / (gaps.length - 1)
  }
}
