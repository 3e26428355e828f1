import type { KeyLimit } from '../../key-limits.ts'

/** A lease covers about this much time at the current rate of use. */
const leasedSeconds = 2
/** Weight of the latest interval in the average rate of use. */
const rateGain = 0.3
/**
 * Time until a pool that had too little to grant is asked again. It is shorter (`placeDenialMs`) for limits on parallel
 * requests, whose slots are freed faster than tokens.
 */
const denialMs = 200
const placeDenialMs = 50
/** Time after which a pool is asked again what it has left, when a caller wants to know. */
const lookMs = 1000
/** Time after which a caller that was refused a place should try again. */
export const placeRetryMs = 1000
const notDenied = { need: Infinity, untilMs: 0, isElsewhere: false }

type LeasedPool = {
  readonly subjectId: string
  readonly accountId: string
  readonly kind: KeyLimit
  /** Start of the day or month; 0 for other limits. */
  readonly beginMs: number
}

/** One lease's part of a call. The lease shrinks to `claim`, then grows by at least `need` or not at all. */
export type LeaseItem = {
  nonce: number
  claim: number
  /** Total use since the lease began. The pool adds only what earlier calls did not report. */
  used: number
  need: number
  want: number
  forget: boolean
}

/** The pool's answer to an item: what it granted, what it has left, and what other replicas have leased of it. */
export type Grant = { granted: number; remaining: number; elsewhere: number }

/**
 * The part of one pool that this replica may spend. `amount` is what the pool is known to have granted. It is lowered
 * before a call is sent and raised by the call's result, so a lost result leaves it too small, never too large.
 */
export class Lease {
  readonly pool: LeasedPool
  /** Distinguishes this lease from one of the same pool that this replica has forgotten. */
  readonly nonce: number
  #limit: number
  #isLowered = false
  #amount = 0
  /** Amount taken by running requests. */
  #held = 0
  /** Amount used, but not subtracted from the lease yet. */
  #pending = 0
  /** The part of `#pending` that the pool may count. For days and months, that is what the ledger has on disk. */
  #countable = 0
  #used = 0
  /** Amount that the pool had left after the last call. */
  #remaining: number | undefined
  #answeredMs = -Infinity
  /** The part that calls without a result have returned to the pool. */
  #returned = 0
  #rate = 0
  #takenSince = 0
  #readMs: number
  #usedMs: number
  #looksFor = true
  /** True while a call with this lease has no result. If the call has failed, the next one repeats its part. */
  #isUnanswered = false
  #denied = notDenied
  /** Amounts for which requests wait. */
  readonly #waiting = new Set<{ amount: number }>()

  constructor(pool: LeasedPool, limit: number, nonce: number, nowMs: number) {
    this.pool = pool
    this.#limit = limit
    this.nonce = nonce
    this.#readMs = nowMs
    this.#usedMs = nowMs
  }

  get limit(): number {
    return this.#limit
  }

  /** The granted part, including what is taken or used but not yet subtracted. */
  get amount(): number {
    return this.#amount
  }

  get free(): number {
    return this.#amount - this.#held - this.#pending
  }

  /** True when the next call has to ask what the pool has left. */
  get looks(): boolean {
    return this.#looksFor
  }

  /** Returns how much of the limit is left for this replica, as far as it knows. */
  remaining(limit: number): number {
    const ofPool = (this.#remaining ?? limit - this.#amount) + this.#returned
    return Math.max(0, Math.min(limit, ofPool + this.free))
  }

  /**
   * Returns the milliseconds until `amount` may fit; 0 if the pool should be asked, Infinity if waiting does not help.
   */
  waitMs(amount: number, nowMs: number): number {
    const { window } = this.pool.kind
    if (amount > this.#limit) return Infinity
    if (this.pauseMs(amount, nowMs) === 0) return 0
    // Other replicas may return what they have leased. A minute's limit refills soon anyway.
    if (this.#denied.isElsewhere && window !== 'minute') return 0
    if (window === 'parallel') return placeRetryMs
    if (window !== 'minute') return Infinity
    const lacking = amount - (this.#remaining ?? 0)
    return Math.max(denialMs, Math.ceil((lacking * 60_000) / this.#limit))
  }

  /** Returns the milliseconds until the pool may be asked for `amount` again; 0 unless it had too little just now. */
  pauseMs(amount: number, nowMs: number): number {
    return amount < this.#denied.need ? 0 : Math.max(0, this.#denied.untilMs - nowMs)
  }

  take(amount: number, nowMs: number): void {
    this.#held += amount
    this.#takenSince += amount
    this.#usedMs = nowMs
  }

  /**
   * Ends one `take`. More than `amount` may have been used: the lease loses `amount`, and the pool counts all of it. For
   * a day or month, the pool counts only after `record`.
   */
  end(amount: number, used: number): void {
    this.#held -= amount
    const { window } = this.pool.kind
    if (window === 'parallel') return
    this.#pending += Math.min(amount, used)
    if (window === 'minute') this.record(amount, used)
  }

  /** Lets the pool count `used` of `amount`. For a day or month, call this once the ledger has the entry on disk. */
  record(amount: number, used: number): void {
    this.#countable += Math.min(amount, used)
    this.#used += used
  }

  /** Counts `amount` as wanted until the returned function is called. */
  wait(amount: number, nowMs: number): () => void {
    const waiter = { amount }
    this.#usedMs = nowMs
    this.#waiting.add(waiter)
    return () => this.#waiting.delete(waiter)
  }

  /** Makes the next call ask what is left, unless the pool has just said so. */
  look(nowMs: number): void {
    if (nowMs - this.#answeredMs >= lookMs) this.#looksFor = true
  }

  /** Applies a changed limit. After a lowered one, the next call returns everything that is free. */
  setLimit(limit: number): void {
    if (limit === this.#limit) return
    this.#looksFor = true
    if (limit > this.#limit) this.#denied = notDenied
    else this.#isLowered = true
    this.#limit = limit
  }

  /** Makes the next call return everything that is free. */
  release(): void {
    this.#rate = 0
    this.#looksFor = true
  }

  /** Updates the rate of use. Call this at regular intervals. */
  measure(nowMs: number): void {
    const seconds = (nowMs - this.#readMs) / 1000
    if (seconds <= 0) return
    this.#rate += rateGain * (this.#takenSince / seconds - this.#rate)
    this.#takenSince = 0
    this.#readMs = nowMs
  }

  /** True when a call would change something. */
  get isDue(): boolean {
    if (this.#looksFor || this.#isUnanswered || this.#isShort || this.#countable > 0) return true
    return this.#surplus() > 0 || this.isLow
  }

  /** True when more should be leased before requests wait for it. */
  get isLow(): boolean {
    return this.free < this.#target() / 2 && (this.#remaining ?? Infinity) > 0
  }

  /** Reports whether the lease can be forgotten: it is not used, and the pool has counted and got back everything. */
  isIdle(nowMs: number, idleMs: number): boolean {
    const isUnused = this.#held === 0 && this.#pending === 0 && this.#waiting.size === 0
    const isReturned = this.#amount === 0 && !this.#isUnanswered
    return isUnused && isReturned && nowMs - this.#usedMs > idleMs
  }

  /** Builds this lease's part of the next call. Subtracts from the lease what the call returns to the pool. */
  nextItem(forget = false): LeaseItem {
    const isShort = this.#isShort
    // A free part that is too small is returned, because it may be enough together with what the pool has left.
    const returned = isShort ? Math.max(0, this.free) : this.#surplus()
    this.#amount -= this.#countable + returned
    this.#returned += returned
    if (returned > 0) this.#denied = notDenied
    this.#pending -= this.#countable
    this.#countable = 0
    this.#looksFor = false
    this.#isUnanswered = true
    this.#isLowered = false
    const amounts = [...this.#waiting].map(({ amount }) => amount)
    const target = this.#target()
    const want = isShort
      ? amounts.reduce((sum, amount) => sum + amount, target)
      : this.isLow && !forget
        ? target - this.free
        : 0
    const need = isShort ? Math.min(...amounts) : 0
    return { nonce: this.nonce, claim: this.#amount, used: this.#used, need, want, forget }
  }

  /** Applies the result of a call. */
  grant({ granted, remaining, elsewhere }: Grant, item: LeaseItem, nowMs: number): void {
    this.#amount += granted
    this.#remaining = remaining
    this.#answeredMs = nowMs
    this.#returned = 0
    this.#isUnanswered = false
    const pauseMs = this.pool.kind.window === 'parallel' ? placeDenialMs : denialMs
    if (item.need > 0 && granted === 0) {
      const isElsewhere = item.need <= remaining + elsewhere
      this.#denied = { need: item.need, untilMs: nowMs + pauseMs, isElsewhere }
    } else if (item.want > 0) this.#denied = notDenied
  }

  #target(): number {
    // Slots for parallel requests are freed after use, so a rate does not tell how many are needed.
    if (this.pool.kind.window === 'parallel' || this.#rate < 0.01) return 0
    // Near the end of a limit, the target is at most what the pool has left, because other replicas need it too.
    return Math.min(Math.ceil(this.#rate * leasedSeconds), this.#remaining ?? Infinity)
  }

  /** True while requests wait for more than is free. */
  get #isShort(): boolean {
    return this.#awaited() > Math.max(0, this.free)
  }

  /**
   * Returns the sum of the amounts that waiting requests need from this lease, including requests that wait only for
   * another lease.
   */
  #awaited(): number {
    let sum = 0
    for (const { amount } of this.#waiting) sum += amount
    return sum
  }

  #surplus(): number {
    const unclaimed = Math.max(0, this.free - this.#awaited())
    if (this.#isLowered) return unclaimed
    const target = this.#target()
    return unclaimed > 1.5 * target ? unclaimed - target : 0
  }
}
