import { strict as assert } from 'node:assert'
import { ServiceError, shuttingDown } from '../../errors.ts'
import { queueMax } from '../../limits.ts'
import { type HeldSlots, SlotQueue, type SlotQueueOptions } from './slot-queue.ts'

type AdmissionOptions = SlotQueueOptions & {
  slots: number
  /** Requests beyond the slots; further ones are refused. */
  queueMax?: number
}

/**
 * Bounds the requests inside the service. A request takes a place before anything is tokenised, so
 * that a burst is refused at once and cheaply, and then waits in the queue for its slots.
 */
export class Admission {
  readonly #queue: SlotQueue
  readonly #placesMax: number
  #places = 0
  /** Places that have got slots. */
  #holding = 0
  #isClosed = false
  #onEmpty: (() => void) | undefined

  constructor({ slots, queueMax: waitingMax = queueMax, ...options }: AdmissionOptions) {
    this.#queue = new SlotQueue(slots, options)
    this.#placesMax = slots + waitingMax
  }

  /** Slots that are held. */
  get running(): number {
    return this.#queue.busy
  }

  /** Requests that have no slots yet. */
  get waiting(): number {
    return this.#places - this.#holding
  }

  get open(): boolean {
    return !this.#isClosed
  }

  /** @throws ServiceError overloaded, shutting_down */
  enter(): Place {
    if (this.#isClosed) throw shuttingDown()
    if (this.#places >= this.#placesMax)
      throw new ServiceError('overloaded', 'All places are taken. Try again in a moment.', {
        retryAfterMs: this.waitMs(),
      })
    this.#places += 1
    return new Place(this.#queue, {
      onSlots: () => (this.#holding += 1),
      onLeave: (heldSlots) => this.#leave(heldSlots),
    })
  }

  /** Predicts how long a request for so many slots would wait now. */
  waitMs(slots = 1): number {
    return this.#queue.waitMs(slots)
  }

  /**
   * Refuses new and waiting requests, and gives running generations `graceMs` to end.
   * @returns true if all of them ended in time
   */
  async close(graceMs: number): Promise<boolean> {
    this.#isClosed = true
    this.#queue.close()
    if (this.#places === 0) return true
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), graceMs)
      this.#onEmpty = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }

  #leave(heldSlots: boolean): void {
    this.#places -= 1
    if (heldSlots) this.#holding -= 1
    assert(this.#holding >= 0 && this.#places >= this.#holding, 'admission lost count of places')
    if (this.#places === 0) this.#onEmpty?.()
  }
}

type PlaceListener = { onSlots: () => void; onLeave: (heldSlots: boolean) => void }

/** One request's place, from its arrival to its end. Every holder calls `leave`. */
class Place {
  readonly #queue: SlotQueue
  readonly #listener: PlaceListener
  #slots: HeldSlots | undefined
  #hasLeft = false

  constructor(queue: SlotQueue, listener: PlaceListener) {
    this.#queue = queue
    this.#listener = listener
  }

  /** Slots that this request holds now. */
  get slots(): number {
    return this.#slots?.count ?? 0
  }

  /**
   * Waits for `wanted` slots, or for all slots if the engine has fewer.
   * @throws ServiceError overloaded (waited too long), shutting_down; or the signal's reason
   */
  async takeSlots(wanted: number, signal: AbortSignal): Promise<void> {
    this.#slots = await this.#queue.take(wanted, signal)
    this.#listener.onSlots()
  }

  /** Releases the slots beyond the first `most`. */
  keepSlots(most: number): void {
    this.#slots?.keep(most)
  }

  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#slots?.release()
    this.#listener.onLeave(this.#slots !== undefined)
  }
}
export type { Place }
