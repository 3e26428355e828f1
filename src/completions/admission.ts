import { strict as assert } from 'node:assert'
import { ServiceError } from '../errors.ts'
import { queueMax, queueWaitMaxMs } from '../limits.ts'

export type AdmissionOptions = {
  slots: number
  queueMax?: number
  waitMaxMs?: number
  now?: () => number
}

type Waiter = { grant: () => void; refuse: (reason: unknown) => void }

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
    return this.#places - this.#running
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

  /** For `Place`: resolves when a slot is this caller's. */
  async takeSlot(timeoutMs: number, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted()
    if (this.#closed) throw shuttingDown()
    if (this.#running >= this.#slots) await this.#wait(timeoutMs, signal)
    else this.#running += 1
    return this.#now()
  }

  /** For `Place`. */
  leave(slotSince: number | undefined): void {
    this.#places -= 1
    if (slotSince !== undefined) {
      this.#holdMs += (this.#now() - slotSince - this.#holdMs) / 8
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next.grant()
    }
    if (this.#places === 0) this.#onEmpty?.()
    assert(this.#running >= 0 && this.#places >= this.#running, 'admission lost count')
  }

  #wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        const index = this.#waiting.indexOf(waiter)
        if (index >= 0) this.#waiting.splice(index, 1)
        then()
      }
      const waiter: Waiter = {
        grant: () => settle(resolve),
        refuse: (reason) => settle(() => reject(reason)),
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
    const retryAfterMs = (this.#holdMs * (this.waiting + 1)) / this.#slots
    return new ServiceError('overloaded', `${what} Try again in a moment.`, { retryAfterMs })
  }
}

/** One request's place, from arrival to its end. `leave` is called once, whatever happened. */
class Place {
  readonly #admission: Admission
  readonly #waitMaxMs: number
  #slotSince: number | undefined
  #left = false

  constructor(admission: Admission, waitMaxMs: number) {
    this.#admission = admission
    this.#waitMaxMs = waitMaxMs
  }

  /** @throws ServiceError overloaded (waited too long), shutting_down; or the signal's reason */
  async takeSlot(signal: AbortSignal): Promise<void> {
    this.#slotSince = await this.#admission.takeSlot(this.#waitMaxMs, signal)
  }

  leave(): void {
    if (this.#left) return
    this.#left = true
    this.#admission.leave(this.#slotSince)
  }
}
export type { Place }

function shuttingDown(): ServiceError {
  return new ServiceError('shutting_down', 'The service is shutting down. Try again in a moment.', {
    retryAfterMs: 2000,
  })
}
