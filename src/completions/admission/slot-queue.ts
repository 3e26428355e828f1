import { strict as assert } from 'node:assert'
import { type DropReason, ServiceError, shuttingDown } from '../../errors.ts'
import { queueWaitMaxMs } from '../../limits.ts'
import { FairOrder, type Line, type Turn } from './fair-order.ts'
import { HeldSlots } from './held-slots.ts'
import { lateCheckMs, lateFactor, returnMsMax } from './queue-limits.ts'
import { ServiceRates, type Size, sizeOf, type Work } from './service-rates.ts'
import type { Holder } from './shared-budget.ts'
import { WaitLimit } from './wait-limit.ts'
import { Weights } from './weights.ts'

export type SlotQueueOptions = {
  /** Longest wait before a request is refused. */
  waitMaxMs?: number
  /** A monotonic clock. */
  now?: () => number
  weights?: Weights
}

/** A request that will need slots. */
export type Asker = {
  readonly holder: Holder
  /** The end user of the API key, or ''. */
  readonly endUser: string
  /** Time on the queue's clock after which the caller no longer wants slots; Infinity for no deadline. */
  readonly deadlineMs: number
}

/** Position of a request in the queue, from 1, and its predicted wait. */
export type QueueStatus = { position: number; waitMs: number }

/** A request for slots. */
type Wanted = Size & { readonly line: Line; readonly work: Work; readonly signal: AbortSignal }

type Waiter = Turn &
  Wanted & {
    readonly deadlineMs: number
    /** Time after which it is refused if it still waits. */
    readonly untilMs: number
    grant: () => void
    refuse: (reason: unknown) => void
  }

/**
 * The only queue in front of the engine (docs/decisions/0013): only holders of a slot call `Engine.generate`.
 * `FairOrder` selects the next request (docs/decisions/0017). It starts with the slots that are free, and gets more of
 * those that it wants whenever nothing waits. Slots stay held while the engine process restarts, because the engine
 * then resends requests that had not started. A request is refused on arrival if its predicted wait exceeds the limit
 * or its deadline, and later if it would wait in vain.
 */
export class SlotQueue {
  readonly slots: number
  readonly #waitMaxMs: number
  readonly now: () => number
  /** In order of arrival. */
  readonly #waiting = new Map<Asker, Waiter>()
  readonly #order: FairOrder
  readonly #rates = new ServiceRates()
  readonly #limit: WaitLimit
  readonly #held = new Set<HeldSlots>()
  #busy = 0
  #isClosed = false
  #lateCheckedMs = 0

  constructor(slots: number, options: SlotQueueOptions = {}) {
    this.slots = slots
    this.#waitMaxMs = options.waitMaxMs ?? queueWaitMaxMs
    this.now = options.now ?? (() => performance.now())
    this.#limit = new WaitLimit(this.#waitMaxMs)
    this.#order = new FairOrder(slots, options.weights ?? new Weights())
  }

  /** Slots that are held. */
  get busy(): number {
    return this.#busy
  }

  /**
   * Waits for a slot, and takes up to `wanted` of those that are free then. The request gets more while nothing waits.
   * The caller must release them once the engine has ended the generations in them.
   * @throws ServiceError overloaded (the wait is or would be too long), shutting_down; or the signal's reason
   */
  async take(asker: Asker, wanted: number, work: Work, signal: AbortSignal): Promise<HeldSlots> {
    signal.throwIfAborted()
    if (this.#isClosed) throw shuttingDown()
    const slots = Math.min(wanted, this.slots)
    const line = this.#order.lineOf(asker.holder, asker.endUser)
    // It may have waited for the model or for a lease of its limits before.
    if (this.now() >= asker.deadlineMs) throw this.#refusal('deadline', line, 0)
    this.#order.lift(line)
    const { promptTokens, outputTokens } = sizeOf(work, slots, line.parent?.outputShare ?? 1)
    const request = { line, work, slots, promptTokens, outputTokens, signal }
    if (this.#order.waiting === 0 && this.#free > 0) return this.#hold(request)
    this.#requireTimely(line, asker.deadlineMs)
    return await this.#wait(asker, request)
  }

  /**
   * Refuses a request that would wait too long. Called right after the body was read, before any further work.
   * @throws ServiceError overloaded
   */
  requireTimely({ holder, endUser, deadlineMs }: Asker): void {
    if (this.#order.waiting === 0) return
    this.#requireTimely(this.#order.lineOf(holder, endUser), deadlineMs)
  }

  /** Predicted time until every waiting request has started; 0 if none waits. */
  get backlogMs(): number {
    return this.#order.waiting === 0 ? 0 : this.#waitOfAll()
  }

  /** Predicts how long a request would wait now; 0 if a slot is free. */
  waitMs(holder: Holder, endUser: string): number {
    if (this.#order.waiting === 0 && this.#free > 0) return 0
    return Math.ceil(this.#predictMs(this.#order.lineOf(holder, endUser)))
  }

  /** Returns the position and predicted wait; undefined if the request is not waiting. */
  statusOf(asker: Asker): QueueStatus | undefined {
    const waiter = this.#waiting.get(asker)
    if (waiter === undefined) return undefined
    const { line } = waiter
    const index = line.turns.indexOf(waiter)
    const before = line.turns.slice(0, index)
    const own = {
      costMs: before.reduce((sum, turn) => sum + this.#rates.costMs(turn), 0),
      slots: before.reduce((sum, turn) => sum + turn.slots, 0),
      turns: before.length,
    }
    const perUnit = 1 / this.#rates.unitsOfRequest
    const ahead = this.#order.ahead(line, before.length, ({ waiting }) => waiting, perUnit)
    const waitMs = Math.ceil(this.#predictMs(line, own))
    return { position: 1 + Math.min(Math.round(ahead), this.#order.waiting - 1), waitMs }
  }

  /**
   * Records a request that `Admission` refused because it had no free place, which is a sign of overload.
   * @returns delay in ms after which the request should be retried
   */
  noteRefusal(holder: Holder): number {
    this.#limit.noteRefusal(this.now())
    return this.returnMsOf(holder)
  }

  /** Returns the delay in ms after which a request that found its budget used up should be retried. */
  returnMsOf(holder: Holder): number {
    const line = this.#order.lineOf(holder, '')
    return this.#returnMs(line, this.#free > 0 ? 0 : this.#predictMs(line))
  }

  /** Refuses all waiting requests and all later ones. Held slots stay held. */
  close(): void {
    this.#isClosed = true
    for (const waiter of this.#waiting.values()) waiter.refuse(shuttingDown())
  }

  /** Charges completion tokens of a running request to its line. Called by `HeldSlots`. */
  noteTokens(line: Line, tokens: number): void {
    this.#order.charge(line, tokens * this.#rates.outputWeight)
  }

  /** Takes slots back. Called by `HeldSlots`. */
  release(held: HeldSlots, count: number): void {
    this.#busy -= count
    assert(this.#busy >= 0, 'a slot was released twice')
    this.#order.end(held.line, count)
    const nowMs = this.now()
    // A request that was refused after its wait says nothing about the time of a reply.
    if (held.hasTokens)
      for (let i = 0; i < count; i += 1) this.#rates.noteHold(nowMs - held.startedMs)
    if (held.count === 0) {
      this.#held.delete(held)
      held.noteEnd(this.#rates, nowMs)
    }
    this.#grantNext()
    if (this.#order.waiting > 0 && nowMs - this.#lateCheckedMs >= lateCheckMs) this.#refuseLate()
  }

  get #free(): number {
    return this.slots - this.#busy
  }

  /** Starts a request with the slots that are free. */
  #hold(request: Wanted): HeldSlots {
    const { line, slots, work } = request
    const held = new HeldSlots({ ...request, startedMs: this.now() }, this)
    this.#held.add(held)
    const given = Math.min(slots, this.#free)
    this.#busy += given
    this.#order.start(line, given, work.promptTokens)
    held.add(given)
    return held
  }

  /** @param own requests that are ahead in `line`; by default, all that wait there */
  #predictMs(
    line: Line,
    own = {
      costMs: this.#rates.costMs(line.size),
      slots: line.size.slots,
      turns: line.turns.length,
    },
  ): number {
    const { msPerUnit, unitsOfRequest } = this.#rates
    this.#order.lift(line)
    const costOf = ({ size }: Line) => this.#rates.costMs(size)
    const aheadMs = this.#order.ahead(line, own.costMs, costOf, msPerUnit)
    const slotsOf = ({ size }: Line) => size.slots
    const perUnit = 1 / unitsOfRequest
    const aheadSlots = this.#order.ahead(line, own.slots, slotsOf, perUnit)
    return Math.max(
      this.#waitOf(aheadMs, aheadSlots),
      this.#order.turnsMs(line, own.turns, perUnit),
    )
  }

  /** Predicts the time until all requests that wait now have started. */
  #waitOfAll(): number {
    const { size } = this.#order
    return this.#waitOf(this.#rates.costMs(size), size.slots)
  }

  /**
   * Predicts the time until a slot is free for a request after all those before it.
   * @param aheadMs slot time of the requests before it
   * @param aheadSlots slots that they want
   */
  #waitOf(aheadMs: number, aheadSlots: number): number {
    const freeMs = this.#freeTimes()
    // The requests before it take no more slots than they want, so the next one to be free after those is left for it.
    const latestMs = freeMs[Math.ceil(aheadSlots)] ?? Infinity
    let [levelMs = 0] = freeMs
    let leftMs = aheadMs
    for (let filled = 1; leftMs > 0; filled++) {
      const roomMs = ((freeMs[filled] ?? Infinity) - levelMs) * filled
      levelMs += Math.min(leftMs, roomMs) / filled
      leftMs -= roomMs
    }
    return Math.min(levelMs, latestMs)
  }

  /** Predicted times until each slot is free, ascending. */
  #freeTimes(): Float64Array {
    const nowMs = this.now()
    const times = new Float64Array(this.slots)
    let at = this.#free
    for (const held of this.#held) {
      times.fill(held.remainingMs(this.#rates, nowMs) / held.count, at, at + held.count)
      at += held.count
    }
    return times.sort()
  }

  #requireTimely(line: Line, deadlineMs: number): void {
    const nowMs = this.now()
    if (nowMs >= deadlineMs) throw this.#refusal('deadline', line, 0)
    if (!this.#rates.areMeasured) return
    const limitMs = this.#limit.ms(nowMs, this.#rates.holdMs)
    // Usually the whole backlog would be served in time, so the order does not matter.
    const mostMs = Math.max(this.#waitOfAll(), this.#order.turnsMsMax(line))
    if (mostMs <= Math.min(limitMs, deadlineMs - nowMs)) return
    const waitMs = this.#predictMs(line)
    if (waitMs > limitMs) {
      this.#limit.noteRefusal(this.now())
      throw this.#refusal('predicted_wait', line, waitMs - limitMs / 2)
    }
    if (nowMs + waitMs > deadlineMs)
      throw this.#refusal('deadline', line, waitMs - (deadlineMs - nowMs) / 2)
  }

  #grantNext(): void {
    while (this.#free > 0) {
      const next = this.#next()
      if (next === undefined) return this.#widen()
      if (this.now() > next.deadlineMs) next.refuse(this.#waitedTooLong(next, 'deadline'))
      else next.grant()
    }
  }

  /**
   * Refuses the latest requests of each end user that would still wait when their time is up. They came while their API
   * key got more turns than it does now, and would wait in vain.
   */
  #refuseLate(): void {
    const nowMs = this.now()
    this.#lateCheckedMs = nowMs
    const perUnit = 1 / this.#rates.unitsOfRequest
    const timely = new Set<Line>()
    for (const waiter of [...this.#waiting.values()].reverse()) {
      const { line, untilMs, deadlineMs } = waiter
      if (timely.has(line)) continue
      const waitMs = this.#order.turnsMs(line, line.turns.indexOf(waiter), perUnit)
      if (waitMs <= lateFactor * (untilMs - nowMs)) timely.add(line)
      else {
        const reason = untilMs === deadlineMs ? 'deadline' : 'predicted_wait'
        if (reason === 'predicted_wait') this.#limit.noteRefusal(nowMs)
        waiter.refuse(this.#refusal(reason, line, waitMs))
      }
    }
  }

  /** Gives free slots to running requests that want more. */
  #widen(): void {
    for (const held of this.#held) {
      if (this.#free === 0) return
      const more = Math.min(held.lacking, this.#free)
      if (more <= 0) continue
      this.#busy += more
      this.#order.widen(held.line, more)
      held.add(more)
    }
  }

  #next(): Waiter | undefined {
    if (this.#order.waiting === 0) return undefined
    // The cast is safe, because only waiters are added to the order.
    return this.#order.next() as Waiter | undefined
  }

  #wait(asker: Asker, wanted: Wanted): Promise<HeldSlots> {
    const { deadlineMs } = asker
    const { signal } = wanted
    const sinceMs = this.now()
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        this.#waiting.delete(asker)
        this.#order.remove(waiter)
        if (this.#waiting.size === 0) this.#limit.noteEmpty()
      }
      const waiter: Waiter = {
        ...wanted,
        deadlineMs,
        untilMs: Math.min(sinceMs + this.#waitMaxMs, deadlineMs),
        grant: () => {
          this.#order.noteTurn(wanted.line, this.now())
          const held = this.#hold(wanted)
          leave()
          resolve(held)
        },
        refuse: (reason) => {
          leave()
          reject(reason)
        },
      }
      const refuse = (reason: unknown) => {
        waiter.refuse(reason)
        this.#grantNext()
      }
      const onAbort = () => refuse(signal.reason)
      const leftMs = deadlineMs - sinceMs
      const reason = leftMs < this.#waitMaxMs ? 'deadline' : 'queue_timeout'
      const onTimeout = () => refuse(this.#waitedTooLong(waiter, reason))
      const timer = setTimeout(onTimeout, waiter.untilMs - sinceMs)
      signal.addEventListener('abort', onAbort)
      this.#waiting.set(asker, waiter)
      this.#order.add(waiter, sinceMs)
      this.#limit.noteWaiting(sinceMs)
    })
  }

  #waitedTooLong({ line }: Waiter, reason: DropReason): ServiceError {
    if (reason === 'queue_timeout') this.#limit.noteRefusal(this.now())
    return this.#refusal(reason, line, this.#predictMs(line))
  }

  #refusal(dropReason: DropReason, line: Line, roomMs: number): ServiceError {
    return new ServiceError('overloaded', messages[dropReason] ?? messages.queue_timeout, {
      dropReason,
      retryAfterMs: this.#returnMs(line, roomMs),
    })
  }

  /**
   * Returns the delay after which a refused request should be retried, which is at least `roomMs`. Retries of one key
   * are also spaced by the time that its share of the engine needs for a request. Otherwise all would return at once.
   * @param roomMs time until there is room
   */
  #returnMs(line: Line, roomMs: number): number {
    const nowMs = this.now()
    const key = line.parent ?? line
    const gapMs = (this.#rates.holdMs / this.slots) * this.#order.sharers(line)
    const returnMs = Math.min(
      Math.max(key.lastReturnMs + gapMs - nowMs, roomMs, gapMs),
      returnMsMax,
    )
    key.lastReturnMs = nowMs + returnMs
    return returnMs
  }
}

const messages: { readonly [Reason in DropReason]?: string } & { readonly queue_timeout: string } =
  {
    predicted_wait: 'Too many requests wait. Try again after the time in `Retry-After`.',
    queue_timeout: 'No slot became free in time. Try again in a moment.',
    deadline:
      'No slot becomes free within the time that the request allows. Allow more time, or try again in a moment.',
  }
