import { strict as assert } from 'node:assert'
import { ServiceError } from '../errors.ts'
import { queueMax, queueWaitMaxMs } from '../limits.ts'

export type AdmissionOptions = {
  slots: number
  queueMax?: number
  waitMaxMs?: number
  now?: () => number
}

type Waiter = { slots: number; grant: () => void; refuse: (reason: unknown) => void }

/**
 * Who may generate now. Places are counted before anything is read or tokenised, so that a burst
 * is refused at once and cheaply instead of being dropped late.
 */
export class Admission {
  readonly #slots: number
  readonly #queueMax: number
  readonly #waitMaxMs: number
  readonly #now: () => number
  readonly #waiting: Waiter[] = []
  #places = 0
  /** Places that have slots. */
  #holding = 0
  /** Slots that are held. */
  #running = 0
  #closed = false
  #onEmpty: (() => void) | undefined
  /** Moving average of how long a slot is held, for honest Retry-After values. */
  #holdMs = 1000

  constructor(options: AdmissionOptions) {
    this.#slots = options.slots
    this.#queueMax = options.queueMax ?? queueMax
    this.#waitMaxMs = options.waitMaxMs ?? queueWaitMaxMs
    this.#now = options.now ?? Date.now
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#places - this.#holding
  }

  /** @throws ServiceError overloaded, shutting_down */
  enter(): Place {
    if (this.#closed) throw shuttingDown()
    if (this.#places >= this.#slots + this.#queueMax)
      throw this.#overloaded('All places are taken.')
    this.#places += 1
    return new Place(this, this.#waitMaxMs)
  }

  get open(): boolean {
    return !this.#closed
  }

  /**
   * Refuses newcomers and whoever still waits; running generations may go on for so long.
   * @returns whether all of them ended in time
   */
  async close(graceMs: number): Promise<boolean> {
    this.#closed = true
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(shuttingDown())
    if (this.#places === 0) return true
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), graceMs)
      this.#onEmpty = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }

  /** For how long somebody who wants so many slots would wait now, as far as the last replies tell. */
  waitMs(slots = 1): number {
    const before = this.#waiting.reduce((sum, waiter) => sum + waiter.slots, 0)
    const missing = this.#running + before + this.#atMost(slots) - this.#slots
    return Math.round((this.#holdMs * Math.max(0, missing)) / this.#slots)
  }

  /**
   * For `Place`: all of them or none, in the order of arrival. So two that want many never hold a part
   * each and wait for the other, and nobody who wants many is overtaken for ever.
   * @returns how many it got: what was wanted, or all that there are
   */
  async takeSlots(wanted: number, timeoutMs: number, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted()
    if (this.#closed) throw shuttingDown()
    const slots = this.#atMost(wanted)
    if (this.#waiting.length > 0 || !this.#fits(slots)) await this.#wait(slots, timeoutMs, signal)
    else this.#running += slots
    this.#holding += 1
    return slots
  }

  /** For `Place`. */
  giveSlots(slots: number, heldMs: number): void {
    this.#running -= slots
    for (let i = 0; i < slots; i += 1) this.#holdMs += (heldMs - this.#holdMs) / 8
    this.#grantNext()
    assert(this.#running >= 0 && this.#running <= this.#slots, 'admission lost count of slots')
  }

  /** For `Place`. */
  leave(heldSlots: boolean): void {
    this.#places -= 1
    if (heldSlots) this.#holding -= 1
    if (this.#places === 0) this.#onEmpty?.()
    assert(this.#holding >= 0 && this.#places >= this.#holding, 'admission lost count of places')
  }

  /** For `Place`. */
  now(): number {
    return this.#now()
  }

  #atMost(slots: number): number {
    return Math.min(slots, this.#slots)
  }

  #fits(slots: number): boolean {
    return this.#running + slots <= this.#slots
  }

  #grantNext(): void {
    for (
      let next = this.#waiting[0];
      next !== undefined && this.#fits(next.slots);
      next = this.#waiting[0]
    ) {
      this.#running += next.slots
      next.grant()
    }
  }

  #wait(slots: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        const index = this.#waiting.indexOf(waiter)
        if (index >= 0) this.#waiting.splice(index, 1)
        then()
      }
      const waiter: Waiter = {
        slots,
        grant: () => settle(resolve),
        refuse: (reason) => {
          settle(() => reject(reason))
          // Whoever stood behind it may want less.
          this.#grantNext()
        },
      }
      const onAbort = () => waiter.refuse(signal.reason)
      const timer = setTimeout(
        () => waiter.refuse(this.#overloaded('No slot became free in time.')),
        Math.max(0, timeoutMs),
      )
      signal.addEventListener('abort', onAbort)
      this.#waiting.push(waiter)
    })
  }

  #overloaded(what: string): ServiceError {
    const retryAfterMs = this.waitMs()
    return new ServiceError('overloaded', `${what} Try again in a moment.`, { retryAfterMs })
  }
}

/** One request's place, from arrival to its end. `leave` is called once, whatever happened. */
class Place {
  readonly #admission: Admission
  readonly #waitMaxMs: number
  /** Undefined: it never had any. */
  #slots: number | undefined
  #slotsSinceMs = 0
  #left = false

  constructor(admission: Admission, waitMaxMs: number) {
    this.#admission = admission
    this.#waitMaxMs = waitMaxMs
  }

  /**
   * So many, or all there are.
   * @throws ServiceError overloaded (waited too long), shutting_down; or the signal's reason
   */
  async takeSlots(wanted: number, signal: AbortSignal): Promise<void> {
    this.#slots = await this.#admission.takeSlots(wanted, this.#waitMaxMs, signal)
    this.#slotsSinceMs = this.#admission.now()
  }

  /** Gives back what it has beyond so many. */
  keepSlots(most: number): void {
    const surplus = (this.#slots ?? 0) - most
    if (surplus <= 0) return
    this.#slots = most
    this.#admission.giveSlots(surplus, this.#admission.now() - this.#slotsSinceMs)
  }

  leave(): void {
    if (this.#left) return
    this.#left = true
    this.keepSlots(0)
    this.#admission.leave(this.#slots !== undefined)
  }
}
export type { Place }

function shuttingDown(): ServiceError {
  return new ServiceError('shutting_down', 'The service is shutting down. Try again in a moment.', {
    retryAfterMs: 2000,
  })
}
