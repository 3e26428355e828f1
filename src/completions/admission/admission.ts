import { strict as assert } from 'node:assert'
import { ServiceError, shuttingDown } from '../../errors.ts'
import {
  bodyBytesInFlightMax,
  bodyBytesOfAccountMax,
  bodyBytesOfKeyMax,
  logprobBytesMax,
  logprobBytesOfAccountMax,
  logprobBytesOfKeyMax,
  queueMax,
  queueOfAccountMax,
  queueOfKeyMax,
  unreadBytesMax,
  unreadBytesOfAccountMax,
  unreadBytesOfKeyMax,
} from '../../limits.ts'
import { Place, type SharedByPlaces } from './place.ts'
import { type BudgetLevel, type Holder, SharedBudget } from './shared-budget.ts'
import { SlotQueue, type SlotQueueOptions } from './slot-queue.ts'

type AdmissionOptions = SlotQueueOptions & {
  slots: number
  /** Maximum number of requests beyond the slots, for the service, each account and each key. The rest are refused. */
  queueMax?: number
  queueOfAccountMax?: number
  queueOfKeyMax?: number
}

/**
 * Bounds the requests inside the service. A request takes a place before its body is read, so that a burst is refused
 * early and cheaply. It then waits in the queue for its slots. No key or account can hold all places, so the others
 * always find a free one.
 */
export class Admission {
  readonly #queue: SlotQueue
  readonly #places: SharedBudget
  readonly #sharedByPlaces: SharedByPlaces
  readonly #bodyBytes = new SharedBudget({
    service: bodyBytesInFlightMax,
    account: bodyBytesOfAccountMax,
    'API key': bodyBytesOfKeyMax,
  })
  readonly #logprobBytes = new SharedBudget({
    service: logprobBytesMax,
    account: logprobBytesOfAccountMax,
    'API key': logprobBytesOfKeyMax,
  })
  /** Memory of events that the readers of streams have not read yet. */
  readonly unreadBytes = new SharedBudget({
    service: unreadBytesMax,
    account: unreadBytesOfAccountMax,
    'API key': unreadBytesOfKeyMax,
  })
  /** Places whose request has started. The others are still receiving their body. */
  #started = 0
  /** Places that have received their slots. */
  #holding = 0
  /**
   * `draining`: not ready, but new requests are still accepted. `finishing`: new requests are refused, and accepted
   * ones keep their turn.
   */
  #state: 'open' | 'draining' | 'finishing' | 'closed' = 'open'
  #onEmpty: (() => void) | undefined

  constructor({ slots, ...options }: AdmissionOptions) {
    const service = options.queueMax ?? queueMax
    this.#queue = new SlotQueue(slots, options)
    this.#places = new SharedBudget({
      service: slots + service,
      account: slots + Math.min(service, options.queueOfAccountMax ?? queueOfAccountMax),
      'API key': slots + Math.min(service, options.queueOfKeyMax ?? queueOfKeyMax),
    })
    this.#sharedByPlaces = {
      queue: this.#queue,
      bodyBytes: this.#bodyBytes,
      logprobBytes: this.#logprobBytes,
      onStart: () => this.#start(),
      onSlots: () => (this.#holding += 1),
      onLeave: (holder, hasStarted, hasSlots) => this.#leave(holder, hasStarted, hasSlots),
    }
  }

  /** Slots that are held. */
  get running(): number {
    return this.#queue.busy
  }

  /** Requests that have not received slots yet. */
  get waiting(): number {
    return this.#places.held - this.#holding
  }

  /** Predicted time until every waiting request has its slots. */
  get backlogMs(): number {
    return this.#queue.backlogMs
  }

  /** False once the service drains or stops. Load balancers should then send requests elsewhere. */
  get open(): boolean {
    return this.#state === 'open'
  }

  /** @throws ServiceError overloaded, rate_limit_exceeded (an account's or key's share is used up), shutting_down */
  enter(holder: Holder): Place {
    if (this.#state === 'finishing' || this.#state === 'closed') throw shuttingDown()
    const full = this.#places.take(holder, 1)
    if (full !== undefined) throw this.#placesTaken(full, holder)
    return new Place(holder, this.#sharedByPlaces)
  }

  /** Makes the service unready. Requests are still accepted until `close`, and keep their turn afterwards. */
  drain(): void {
    if (this.#state === 'open') this.#state = 'draining'
  }

  /**
   * Refuses new requests and, unless `drain` was called, waiting ones too. Then waits up to `graceMs` for the rest.
   * @returns true if all of them ended in time
   */
  async close(graceMs: number): Promise<boolean> {
    this.#state = this.#state === 'draining' ? 'finishing' : 'closed'
    if (this.#state === 'closed') this.#queue.close()
    const hasEnded = this.#isEmpty || (await this.#empty(graceMs))
    this.#state = 'closed'
    this.#queue.close()
    return hasEnded
  }

  /**
   * True if no request is left. Requests still receiving their body count only while `finishing`, when they keep their
   * turn.
   */
  get #isEmpty(): boolean {
    return (this.#state === 'finishing' ? this.#places.held : this.#started) === 0
  }

  #empty(graceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), graceMs)
      this.#onEmpty = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }

  #start(): void {
    if (this.#state === 'closed') throw shuttingDown()
    this.#started += 1
  }

  #leave(holder: Holder, hasStarted: boolean, hasSlots: boolean): void {
    this.#places.giveBack(holder, 1)
    if (hasSlots) this.#holding -= 1
    if (hasStarted) this.#started -= 1
    assert(this.#holding >= 0 && this.#started >= this.#holding, 'admission lost count of places')
    if (this.#isEmpty) this.#onEmpty?.()
  }

  #placesTaken(level: BudgetLevel, holder: Holder): ServiceError {
    const retryAfterMs = this.#queue.noteRefusal(holder)
    if (level === 'service')
      return new ServiceError('overloaded', 'All places are taken. Try again in a moment.', {
        retryAfterMs,
        dropReason: 'no_place',
      })
    return new ServiceError(
      'rate_limit_exceeded',
      `Limit reached for this ${level}: ${this.#places.maximums[level]} running and waiting requests. ` +
        'Retry when one of them has finished.',
      { type: 'requests', retryAfterMs, dropReason: 'place_share' },
    )
  }
}
