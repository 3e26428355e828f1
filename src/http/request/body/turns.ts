/** Gives work its turn one after the other, with a round of the event loop in between, so that other work goes on. */
export class Turns {
  readonly #waiting: (() => void)[] = []

  /** Resolves in a round of the event loop in which no other work gets a turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(this.#giveTurn)
    })
  }

  readonly #giveTurn = (): void => {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#giveTurn)
  }
}
