import { keyLimits } from '../../key-limits.ts'
import { queueWaitMaxMs, ratedSubjectsMax } from '../../limits.ts'
import type { Database } from '../../storage/database.ts'
import { dayMs, minuteMs } from '../../time/durations.ts'
import { startOfDay, startOfMonth, startOfNextMonth } from '../utc-periods.ts'
import { clockOf } from './create-counter.ts'
import { type Counters, createCounters, LimitShare } from './limit-share.ts'
import type { LimitStates, Moment } from './limit-state.ts'
import type { Limited, RateLimiter } from './rate-limiter.ts'
import { sumMonthsAndDays, sumRecent } from './past-use.ts'

/** Clocks that give the two times of a `Moment`. */
type Clock = { wallMs: () => number; steadyMs: () => number }
const systemClock: Clock = { wallMs: Date.now, steadyMs: () => performance.now() }

/**
 * Remaining limits of every key and account, in memory. Before it starts, a request takes the maximum that it may use.
 * However it ends, it gives back what it did not use. The ledger decides what was used. See docs/decisions/0007.
 */
export class RateLimits implements RateLimiter {
  readonly #clock: Clock
  /** Counters by the id of the key or the account. */
  readonly #counters = new Map<string, Counters>()

  private constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Reads past use from the ledger, so that a restart resets no limit. Close the ledger's orphans first. */
  static async open(database: Database, clock: Clock = systemClock): Promise<RateLimits> {
    const limits = new RateLimits(clock)
    const nowMs = clock.wallMs()
    const today = startOfDay(nowMs)
    const month = startOfMonth(nowMs)
    // Reads the neighbouring periods too, because a wrong wall clock may be corrected later.
    const periods = sumMonthsAndDays(
      { fromMs: startOfMonth(month - 1), toMs: startOfNextMonth(nowMs) },
      { fromMs: today - dayMs, toMs: today + dayMs },
    )
    for (const row of await database.read(periods)) limits.#restore(row, row.begin_ms)
    // Counts the use of the whole last minute as debt, because the part already paid off is not known. Its tokens may
    // belong to requests that arrived earlier: a request takes them once its prompt is read.
    for (const row of await database.read(sumRecent(nowMs - minuteMs - queueWaitMaxMs)))
      limits.#restore({ ...row, window: 'minute' }, nowMs)
    return limits
  }

  /**
   * Takes one request from all limits of the key and of the account, or from none.
   * @param arrivedMs arrival time, which decides in which day and month the ledger counts the request
   * @throws ServiceError rate_limit_exceeded, insufficient_quota
   */
  enter(limited: Limited, arrivedMs: number): LocalHold {
    const at = { wall: arrivedMs, steady: this.#steadyMs() }
    const shares = this.#shares(limited)
    for (const share of shares) {
      share.require('requests', 1, at)
      // Refuses a caller whose token limit is used up before the service reads the prompt.
      share.require('tokens', 1, at)
    }
    for (const share of shares) share.take('requests', 1, at)
    return new LocalHold(shares, arrivedMs, () => this.#steadyMs())
  }

  state(limited: Limited): { key: LimitStates; account: LimitStates } {
    const [key, account] = this.#shares(limited)
    const now = this.#moment()
    return { key: key.states(now), account: account.states(now) }
  }

  /** Does nothing: without replicas, this service always knows what is left. */
  async look(): Promise<void> {}

  #shares({ keyId, accountId, limits, accountLimits }: Limited): [LimitShare, LimitShare] {
    return [
      new LimitShare(this.#countersOf(keyId), limits, 'API key'),
      new LimitShare(this.#countersOf(accountId), accountLimits, 'account'),
    ]
  }

  #countersOf(id: string): Counters {
    const known = this.#counters.get(id)
    if (known !== undefined) return known
    if (this.#counters.size >= ratedSubjectsMax) this.#forgetIdle()
    const counters = createCounters()
    this.#counters.set(id, counters)
    return counters
  }

  #forgetIdle(): void {
    const now = this.#moment()
    for (const [id, counters] of this.#counters)
      if (keyLimits.every((limit, index) => counters[index]?.isIdle(now[clockOf(limit)])))
        this.#counters.delete(id)
  }

  #restore(used: PastUse, wallMs: number): void {
    const now = { wall: wallMs, steady: this.#steadyMs() }
    for (const id of [used.account_id, used.key_id])
      for (const [index, limit] of keyLimits.entries())
        if (limit.window === used.window)
          this.#countersOf(id)[index]?.restore(Number(used[limit.counts]), now[clockOf(limit)])
  }

  #moment(): Moment {
    return { wall: this.#clock.wallMs(), steady: this.#steadyMs() }
  }

  #steadyMs(): number {
    return Math.floor(this.#clock.steadyMs())
  }
}

type PastUse = {
  account_id: string
  key_id: string
  window: 'minute' | 'day' | 'month'
  requests: number
  tokens: number
}

/** The parts that one request has taken, until `end`. */
class LocalHold {
  readonly #shares: readonly LimitShare[]
  readonly #arrivedMs: number
  readonly #steadyMs: () => number
  #tokens = 0
  #isEnded = false

  constructor(shares: readonly LimitShare[], arrivedMs: number, steadyMs: () => number) {
    this.#shares = shares
    this.#arrivedMs = arrivedMs
    this.#steadyMs = steadyMs
  }

  /**
   * Takes the maximum number of tokens that the request may use. A refusal also gives back the request that `enter`
   * took.
   * @throws ServiceError rate_limit_exceeded, insufficient_quota
   */
  reserve(tokens: number): void {
    const at = { wall: this.#arrivedMs, steady: this.#steadyMs() }
    try {
      for (const share of this.#shares) share.require('tokens', tokens, at)
    } catch (error) {
      for (const share of this.#shares) share.giveBack('requests', 1, at.steady)
      throw error
    }
    for (const share of this.#shares) share.take('tokens', tokens, at)
    this.#tokens = tokens
  }

  /**
   * Gives back what was not used. Takes what was used beyond the reservation, because an upstream engine may count more
   * tokens than were estimated. A second call changes nothing.
   */
  end(usedTokens: number): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const at = { wall: this.#arrivedMs, steady: this.#steadyMs() }
    const unused = this.#tokens - usedTokens
    for (const share of this.#shares) {
      if (unused < 0) share.take('tokens', -unused, at)
      share.giveBack('requests', 0, at.steady)
      share.giveBack('tokens', Math.max(0, unused), at.steady)
    }
  }
}
