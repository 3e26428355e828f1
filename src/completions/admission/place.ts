import { strict as assert } from 'node:assert'
import { type DropReason, ServiceError } from '../../errors.ts'
import { bodyBytesOfPlace } from '../../limits.ts'
import type { BudgetLevel, Holder, SharedBudget } from './shared-budget.ts'
import type { HeldSlots } from './held-slots.ts'
import type { Work } from './service-rates.ts'
import type { Asker, QueueStatus, SlotQueue } from './slot-queue.ts'

/** The end user and the deadline that a caller gives for its request. */
export type Expectations = {
  /** The end user of the API key. All requests without one count as a single end user. */
  readonly endUser?: string | undefined
  /** Time after the request's arrival at which the caller stops waiting for the reply. */
  readonly timeoutMs?: number | undefined
}

/** State and callbacks shared by all places. They are one object to keep each place small. */
export type SharedByPlaces = {
  queue: SlotQueue
  bodyBytes: SharedBudget
  logprobBytes: SharedBudget
  /** @throws ServiceError shutting_down */
  onStart: () => void
  onSlots: () => void
  onLeave: (holder: Holder, hasStarted: boolean, hasSlots: boolean) => void
}

/**
 * The place of a request: from its headers to its end, the request and the bytes of its body count towards the limits
 * of `Admission`. `leave` must follow every `start`. `leaveUnstarted` ends the place of a request that never started.
 */
export class Place {
  readonly holder: Holder
  readonly #enteredMs: number
  readonly #shared: SharedByPlaces
  #state: 'entered' | 'started' | 'left' = 'entered'
  #slots: HeldSlots | undefined
  #asker: Asker
  /** Bytes of the body so far, and the number of bytes taken from the budget for them. */
  #bodyBytes = 0
  #takenBytes = 0
  /** Bytes taken for the logprobs of a whole reply; undefined once the reply was sent or can no longer be sent. */
  #logprobBytes: number | undefined = 0
  #onLeave: (() => void) | undefined

  constructor(holder: Holder, shared: SharedByPlaces) {
    this.holder = holder
    this.#shared = shared
    this.#enteredMs = shared.queue.now()
    this.#asker = { holder, endUser: '', deadlineMs: Infinity }
  }

  /** Slots that this request holds now. */
  get slots(): number {
    return this.#slots?.count ?? 0
  }

  /**
   * Counts bytes of the body against the budget until the place is left. The first `bodyBytesOfPlace` bytes are free.
   * @throws ServiceError overloaded, rate_limit_exceeded (an account's or key's share is used up)
   */
  addBodyBytes(bytes: number): void {
    assert(this.#state === 'entered', 'a body belongs to a place that has not started')
    this.#bodyBytes += bytes
    const more = Math.max(0, this.#bodyBytes - bodyBytesOfPlace) - this.#takenBytes
    if (more === 0) return
    const { bodyBytes } = this.#shared
    const full = bodyBytes.take(this.holder, more)
    if (full !== undefined)
      throw this.#bytesTaken('body_bytes', full, {
        service: 'Too many large requests arrive. Try again in a moment.',
        share:
          `Limit reached for this ${full}: ${bodyBytes.maximums[full]} bytes of parallel large requests. ` +
          'Retry when one of them has finished.',
      })
    this.#takenBytes += more
  }

  /**
   * Counts the logprobs of a whole reply against their budget until `endReply`, which may come after the place is left.
   * @throws ServiceError overloaded, rate_limit_exceeded (an account's or key's share is used up)
   */
  takeLogprobBytes(bytes: number): void {
    if (this.#logprobBytes === undefined || bytes === 0) return
    const { logprobBytes } = this.#shared
    const full = logprobBytes.take(this.holder, bytes)
    if (full !== undefined)
      throw this.#bytesTaken('logprob_bytes', full, {
        service:
          'Too many replies with logprobs are being generated. Stream the reply, or try again in a moment.',
        share:
          `Limit reached for this ${full}: ${logprobBytes.maximums[full]} bytes of logprobs in parallel replies that ` +
          'are not streamed. Retry when one of them has finished, or stream the reply.',
      })
    this.#logprobBytes += bytes
  }

  #bytesTaken(
    dropReason: DropReason,
    level: BudgetLevel,
    messages: { service: string; share: string },
  ): ServiceError {
    const retryAfterMs = this.#shared.queue.returnMsOf(this.holder)
    return level === 'service'
      ? new ServiceError('overloaded', messages.service, { retryAfterMs, dropReason })
      : new ServiceError('rate_limit_exceeded', messages.share, {
          type: 'requests',
          retryAfterMs,
          dropReason,
        })
  }

  /** Gives back the bytes of the logprobs. Call it when the response has been sent or its connection is closed. */
  endReply(): void {
    this.#shared.logprobBytes.giveBack(this.holder, this.#logprobBytes ?? 0)
    this.#logprobBytes = undefined
  }

  /**
   * Begins the work on the request.
   * @throws ServiceError shutting_down
   */
  start(): void {
    assert(this.#state === 'entered', 'a place is started once, before it is left')
    this.#shared.onStart()
    this.#state = 'started'
  }

  /**
   * Sets the request's end user and deadline once its body was read. Refuses the request if it would wait too long.
   * @throws ServiceError overloaded
   */
  expect({ endUser = '', timeoutMs = Infinity }: Expectations): void {
    const deadlineMs = this.#enteredMs + timeoutMs
    this.#asker = { holder: this.holder, endUser, deadlineMs }
    this.#shared.queue.requireTimely(this.#asker)
  }

  /** Returns the time left until `timeoutMs` after the request's arrival. */
  leftMsOf(timeoutMs: number): number {
    return Math.max(0, this.#enteredMs + timeoutMs - this.#shared.queue.now())
  }

  /** Time left until the caller's deadline; Infinity without one. */
  get leftMs(): number {
    return Math.max(0, this.#asker.deadlineMs - this.#shared.queue.now())
  }

  /**
   * Waits for a slot, and takes up to `wanted` of those that are free then. `slots` may grow while nothing waits.
   * @throws ServiceError overloaded (the wait is or would be too long), shutting_down; or the signal's reason
   */
  async takeSlots(wanted: number, work: Work, signal: AbortSignal): Promise<void> {
    assert(this.#state === 'started', 'slots are for a request that has started')
    this.#slots = await this.#shared.queue.take(this.#asker, wanted, work, signal)
    this.#shared.onSlots()
  }

  /** Position in the queue and predicted wait. Undefined unless the request is waiting for slots. */
  get queueStatus(): QueueStatus | undefined {
    return this.#shared.queue.statusOf(this.#asker)
  }

  /** Predicts how long this request would wait for a slot, if it asked now. */
  waitMs(endUser = ''): number {
    return this.#shared.queue.waitMs(this.holder, endUser)
  }

  /** Counts completion tokens that were generated for the request. */
  noteTokens(tokens: number): void {
    this.#slots?.noteTokens(tokens)
  }

  /**
   * Sets the only listener, called once when the place is left. Calls it at once if the place was left already, because
   * the client may have hung up.
   */
  onLeave(listener: () => void): void {
    assert(this.#onLeave === undefined, 'a place has one listener')
    this.#onLeave = listener
    if (this.#state === 'left') listener()
  }

  /** Keeps at most `most` slots and releases the others. */
  keepSlots(most: number): void {
    this.#slots?.keep(most)
  }

  /** Leaves a place that was never started; a second call changes nothing. */
  leaveUnstarted(): void {
    if (this.#state === 'entered') this.leave()
  }

  leave(): void {
    if (this.#state === 'left') return
    const hasStarted = this.#state === 'started'
    this.#state = 'left'
    this.#shared.bodyBytes.giveBack(this.holder, this.#takenBytes)
    this.#slots?.release()
    this.#onLeave?.()
    this.#shared.onLeave(this.holder, hasStarted, this.#slots !== undefined)
  }
}
