import { type KeyLimit, keyLimits, type Limits } from '../../key-limits.ts'
import { clockOf, createCounter } from './create-counter.ts'
import type { GiveBack, LimitCounter } from './limit-counter.ts'
import { limitRefusal, type LimitOwner } from './limit-refusal.ts'
import type { LimitStates, Moment } from './limit-state.ts'

/** The counters of one key or account, in the order of `keyLimits`. */
export type Counters = readonly LimitCounter[]

export function createCounters(): Counters {
  return keyLimits.map(createCounter)
}

// Days and months are checked before minutes, so that a request that must wait for days is not told to retry in
// seconds.
const checkOrder = ['parallel', 'day', 'month', 'minute'] as const
const checks = checkOrder.flatMap((window) =>
  keyLimits
    .map((limit, index) => ({ limit, index, clock: clockOf(limit) }))
    .filter((check) => check.limit.window === window),
)
const checksOf = {
  requests: checks.filter(({ limit }) => limit.counts === 'requests'),
  tokens: checks.filter(({ limit }) => limit.counts === 'tokens'),
}

/** The part that one request takes from the limits of one key or account. */
export class LimitShare {
  readonly #counters: Counters
  readonly #limits: Limits
  readonly #owner: LimitOwner
  readonly #giveBacks: Record<KeyLimit['counts'], GiveBack[]> = { requests: [], tokens: [] }

  constructor(counters: Counters, limits: Limits, owner: LimitOwner) {
    this.#counters = counters
    this.#limits = limits
    this.#owner = owner
  }

  /** @throws ServiceError rate_limit_exceeded, insufficient_quota */
  require(counts: KeyLimit['counts'], amount: number, at: Moment): void {
    for (const { limit: kind, index, clock } of checksOf[counts]) {
      const limit = this.#limits[kind.name]
      const counter = this.#counters[index]
      if (limit === undefined || counter === undefined) continue
      const waitMs = counter.waitMs(limit, amount, at[clock])
      if (waitMs === 0) continue
      const remaining = counter.remaining(limit, at[clock])
      throw limitRefusal(kind, { limit, remaining, amount, waitMs, owner: this.#owner })
    }
  }

  take(counts: KeyLimit['counts'], amount: number, at: Moment): void {
    for (const { limit: kind, index, clock } of checksOf[counts]) {
      const giveBack = this.#counters[index]?.take(this.#limits[kind.name], amount, at[clock])
      if (giveBack !== undefined) this.#giveBacks[counts].push(giveBack)
    }
  }

  /** Gives back the unused part of what was taken; a second call changes nothing. */
  giveBack(counts: KeyLimit['counts'], unused: number, steadyMs: number): void {
    const giveBacks = this.#giveBacks[counts]
    for (const giveBack of giveBacks) giveBack(unused, steadyMs)
    giveBacks.length = 0
  }

  states(at: Moment): LimitStates {
    const states: { -readonly [Name in keyof LimitStates]: LimitStates[Name] } = {}
    for (const { limit: kind, index, clock } of checks) {
      const limit = this.#limits[kind.name]
      const counter = this.#counters[index]
      if (limit === undefined || counter === undefined) continue
      const remaining = counter.remaining(limit, at[clock])
      states[kind.name] = { limit, remaining, resetMs: counter.resetMs(limit, at[clock]) }
    }
    return states
  }
}
