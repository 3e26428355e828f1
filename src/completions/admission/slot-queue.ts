import { strict as assert } from 'node:assert'
import { ServiceError, shuttingDown } from '../../errors.ts'
import { queueWaitMaxMs } from '../../limits.ts'

export type SlotQueueOptions = {
  /** Longest wait before a request is refused. */
  waitMaxMs?: number
  now?: () => number
}

type Waiter = { slots: number; grant: () => void; refuse: (reason: unknown) => void }

/**
 * The only queue in front of the engine (docs/decisions/0013): only holders of a slot call `Engine.generate`.
 * Requests get slots in order of arrival, and all of their slots at once. So two requests for many
 * slots never block each other with half of them, and a request for many is never overtaken. Slots stay
 * held while the engine process restarts, because the engine then resends what had not started.
 */
export class SlotQueue {
  readonly slots: number
  readonly #waitMaxMs: number
  readonly #now: () => number
  readonly #waiting: Waiter[] = []
  #busy = 0
  #isClosed = false
  /** Moving average of how long a slot is held; the predicted wait follows from it. */
  #holdMs = 1000

  constructor(slots: number, options: SlotQueueOptions = {}) {
    this.slots = slots
    this.#waitMaxMs = options.waitMaxMs ?? queueWaitMaxMs
    this.#now = options.now ?? Date.now
  }

  /** Slots that are held. */
  get busy(): number {
    return this.#busy
  }

  /**
   * Waits for `wanted` slots, or for all slots if the engine has fewer. The caller releases them
   * after the engine has ended what ran in them.
   * @throws ServiceError overloaded (waited too long), shutting_down; or the signal's reason
   */
  async take(wanted: number, signal: AbortSignal): Promise<HeldSlots> {
    signal.throwIfAborted()
    if (this.#isClosed) throw shuttingDown()
    const slots = this.#atMost(wanted)
    if (this.#waiting.length > 0 || !this.#fits(slots)) await this.#wait(slots, signal)
    else this.#busy += slots
    return new HeldSlots(slots, this.#now(), (count, sinceMs) => this.#give(count, sinceMs))
  }

  /** Predicts from the latest hold times how long a request for `wanted` slots would wait now. */
  waitMs(wanted = 1): number {
    const ahead = this.#waiting.reduce((sum, waiter) => sum + waiter.slots, 0)
    const missing = this.#busy + ahead + this.#atMost(wanted) - this.slots
    return Math.round((this.#holdMs * Math.max(0, missing)) / this.slots)
  }

  /** Refuses all waiting requests and all later ones. Held slots stay held. */
  close(): void {
    this.#isClosed = true
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(shuttingDown())
  }

  #give(count: number, sinceMs: number): void {
    this.#busy -= count
    assert(this.#busy >= 0, 'a slot was released twice')
    const heldMs = this.#now() - sinceMs
    for (let i = 0; i < count; i += 1) this.#holdMs += (heldMs - this.#holdMs) / 8
    this.#grantNext()
  }

  #atMost(slots: number): number {
    return Math.min(slots, this.slots)
  }

  #fits(slots: number): boolean {
    return this.#busy + slots <= this.slots
  }

  #grantNext(): void {
    for (
      let next = this.#waiting[0];
      next !== undefined && this.#fits(next.slots);
      next = this.#waiting[0]
    ) {
      this.#busy += next.slots
      next.grant()
    }
  }

  #wait(slots: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        const index = this.#waiting.indexOf(waiter)
        if (index >= 0) this.#waiting.splice(index, 1)
      }
      const waiter: Waiter = {
        slots,
        grant: () => {
          leave()
          resolve()
        },
        refuse: (reason) => {
          leave()
          reject(reason)
          // The requests behind it may want fewer slots.
          this.#grantNext()
        },
      }
      const onAbort = () => waiter.refuse(signal.reason)
      const onTimeout = () => waiter.refuse(this.#overloaded())
      const timer = setTimeout(onTimeout, this.#waitMaxMs)
      signal.addEventListener('abort', onAbort)
      this.#waiting.push(waiter)
    })
  }

  #overloaded(): ServiceError {
    return new ServiceError('overloaded', 'No slot became free in time. Try again in a moment.', {
      retryAfterMs: this.waitMs(),
    })
  }
}

/** Slots of the engine, until they are released. */
class HeldSlots {
  readonly #sinceMs: number
  readonly #give: (count: number, sinceMs: number) => void
  #count: number

  constructor(count: number, sinceMs: number, give: (count: number, sinceMs: number) => void) {
    this.#count = count
    this.#sinceMs = sinceMs
    this.#give = give
  }

  get count(): number {
    return this.#count
  }

  /** Releases the slots beyond the first `most`. */
  keep(most: number): void {
    const surplus = this.#count - most
    if (surplus <= 0) return
    this.#count = most
    this.#give(surplus, this.#sinceMs)
  }

  release(): void {
    this.keep(0)
  }
}
export type { HeldSlots }
