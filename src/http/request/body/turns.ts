/** Runs waiting tasks one at a time, one per round of the event loop, so that other work goes on in between. */
export class Turns {
  readonly #waiting: (() => void)[] = []

  /** Resolves when it is the caller's turn. No other caller gets a turn in the same round of the event loop. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(this.#giveTurn)
    })
  }

  /** Resolves in the next round of the event loop, before the turns of the callers that wait. */
  nextRound(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.unshift(resolve)
      if (this.#waiting.length === 1) setImmediate(this.#giveTurn)
    })
  }

  readonly #giveTurn = (): void => {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#giveTurn)
  }
}
