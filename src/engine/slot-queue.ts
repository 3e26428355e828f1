type Waiter = { readonly grant: () => void }

/** So many slots, given out in the order of asking. */
export class SlotQueue {
  readonly #slots: number
  readonly #waiters = new Set<Waiter>()
  #busy = 0

  constructor(slots: number) {
    this.#slots = slots
  }

  get busy(): number {
    return this.#busy
  }

  /** True with a slot, which must be given back; false when a signal aborted first. */
  async take(...signals: readonly AbortSignal[]): Promise<boolean> {
    if (signals.some((signal) => signal.aborted)) return false
    if (this.#busy < this.#slots) {
      this.#busy += 1
      return true
    }
    return await new Promise<boolean>((resolve) => {
      const settle = (granted: boolean): void => {
        this.#waiters.delete(waiter)
        for (const signal of signals) signal.removeEventListener('abort', giveUp)
        resolve(granted)
      }
      const giveUp = (): void => settle(false)
      const waiter: Waiter = { grant: () => settle(true) }
      this.#waiters.add(waiter)
      for (const signal of signals) signal.addEventListener('abort', giveUp)
    })
  }

  give(): void {
    const [next] = this.#waiters
    // The slot passes on without becoming free, so that nobody overtakes the queue.
    if (next === undefined) this.#busy -= 1
    else next.grant()
  }
}
