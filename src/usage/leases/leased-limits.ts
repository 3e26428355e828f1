import { setTimeout as delay } from 'node:timers/promises'
import { type KeyLimit, keyLimits, type Limits } from '../../key-limits.ts'
import type { Database } from '../../storage/database.ts'
import { unavailable } from '../../storage/storage-fault.ts'
import type { Row } from '../../storage/unit.ts'
import { contendedRefusal, limitRefusal, type LimitOwner } from '../limits/limit-refusal.ts'
import type { LimitState, LimitStates } from '../limits/limit-state.ts'
import type { Hold, Limited, RateLimiter } from '../limits/rate-limiter.ts'
import { renewLeases } from '../replicas/replica-statements.ts'
import { startOfDay, startOfMonth, startOfNextDay, startOfNextMonth } from '../utc-periods.ts'
import { LeaseCalls } from './lease-calls.ts'
import { Lease, placeRetryMs } from './lease.ts'

const tickMs = 250
/**
 * Maximum time that a request waits while other requests take what its replica leases. The request also waits for the
 * end of a call that is in flight at that time.
 */
const waitMsMax = 2000
/**
 * Maximum time that a request waits for a place that another replica may return, and time between two looks for places
 * to return. Replies end at one replica just before their caller asks another one.
 */
const placeWaitMsMax = 300
const returnPlacesMs = 50

type Registration = { readonly id: string; readonly isLive: boolean; readonly lost: AbortSignal }

type LeasedOptions = {
  replica: Registration
  /** True while the ledger may still write the entry of a request of this process. */
  isOpen: (requestId: string) => boolean
  wallMs?: () => number
  steadyMs?: () => number
  delay?: (ms: number) => Promise<unknown>
}

/** One amount that a request takes from one lease. */
type Need = { lease: Lease; owner: LimitOwner; amount: number }
type Unrecorded = { requestId: string; lease: Lease; amount: number; used: number }

// Days and months are checked before minutes, so that a request that must wait for days is not told to retry in
// seconds.
const checkOrder = ['parallel', 'day', 'month', 'minute'] as const
const ordered = checkOrder.flatMap((window) => keyLimits.filter((kind) => kind.window === window))

/**
 * Limits that several replicas share. Each replica leases a part of what is left of a limit, and spends it without
 * asking the database. A request waits only while its replica must lease more. Spent plus leased never exceeds the
 * limit. See docs/decisions/0022.
 */
export class LeasedLimits implements RateLimiter {
  readonly #options: Required<LeasedOptions>
  readonly #calls: LeaseCalls
  readonly #leases = new Map<string, Lease>()
  /** Use of daily and monthly limits whose ledger entries are not on disk yet. */
  #unrecorded: Unrecorded[] = []
  #replicaId: string
  #nonce = 0
  #hasFreePlaces = false
  #timers: NodeJS.Timeout[] = []

  constructor(database: Pick<Database, 'writeReturning'>, options: LeasedOptions) {
    this.#options = {
      wallMs: Date.now,
      steadyMs: () => performance.now(),
      delay: (ms) => delay(ms),
      ...options,
    }
    this.#replicaId = options.replica.id
    this.#calls = new LeaseCalls({
      send: (items) => this.#send(database, items),
      leases: () => {
        // The database counts what the ledger has on disk, so the leases must no longer count that.
        this.#recordSettled()
        return this.#leases.values()
      },
      forget: (lease) => this.#forget(lease),
      steadyMs: this.#options.steadyMs,
    })
  }

  /** Number of limits for which this service holds a lease. */
  get held(): number {
    return [...this.#leases.values()].filter((lease) => lease.amount > 0).length
  }

  /** Renews leases and returns surplus ones until `close`. */
  start(): void {
    this.#timers = [
      setInterval(() => void this.tick(), tickMs),
      setInterval(() => this.#returnPlaces(), returnPlacesMs),
    ]
  }

  /** Renews what is due. Never throws: the next tick tries again. */
  async tick(): Promise<void> {
    this.#followReplica()
    const nowMs = this.#options.steadyMs()
    this.#recordSettled()
    for (const lease of this.#leases.values()) lease.measure(nowMs)
    const isDue = [...this.#leases.values()].some((lease) => lease.isDue)
    if (isDue && this.#options.replica.isLive) await this.#calls.request().catch(() => {})
  }

  /** Reports what was used and returns the rest of all leases. Failures are ignored. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#calls.idle()
    for (const lease of this.#leases.values()) lease.release()
    await this.#calls.request().catch(() => {})
  }

  enter(limited: Limited, arrivedMs: number, requestId?: string): Hold | Promise<Hold> {
    this.#requireLive()
    const find = (counts: KeyLimit['counts'], amount: number) =>
      this.#needs(limited, arrivedMs, counts, amount)
    // Refuses a caller whose token limit is used up before the service reads the prompt.
    for (const need of find('tokens', 1)) if (need.lease.free < 1) this.#requireAskable(need)
    const hold = new LeasedHold({
      requestId,
      tokens: (amount) => find('tokens', amount),
      acquire: (needs) => this.#acquire(needs),
      keep: (unrecorded) => this.#unrecorded.push(unrecorded),
      onFreePlace: () => (this.#hasFreePlaces = true),
    })
    const entered = hold.enter(find('requests', 1))
    return entered === undefined ? hold : entered.then(() => hold)
  }

  state({ keyId, accountId, limits, accountLimits }: Limited) {
    const nowMs = this.#options.wallMs()
    return {
      key: this.#states(keyId, accountId, limits, nowMs),
      account: this.#states(accountId, accountId, accountLimits, nowMs),
    }
  }

  async look(all: readonly Limited[]): Promise<void> {
    for (const limited of all) this.state(limited)
    const looks = [...this.#leases.values()].some((lease) => lease.looks)
    if (looks && this.#options.replica.isLive) await this.#calls.request().catch(() => {})
  }

  #states(subjectId: string, accountId: string, limits: Limits, nowMs: number): LimitStates {
    const states: { -readonly [Name in keyof LimitStates]: LimitState } = {}
    for (const kind of ordered) {
      const limit = limits[kind.name]
      if (limit === undefined) continue
      const lease = this.#leaseOf(kind, { subjectId, accountId, limit }, nowMs)
      lease.look(this.#options.steadyMs())
      const remaining = lease.remaining(limit)
      states[kind.name] = { limit, remaining, resetMs: resetMs(kind, { limit, remaining }, nowMs) }
    }
    return states
  }

  #needs(
    { keyId, accountId, limits, accountLimits }: Limited,
    arrivedMs: number,
    counts: KeyLimit['counts'],
    amount: number,
  ): Need[] {
    const needs: Need[] = []
    const add = (owner: LimitOwner, subjectId: string, ofOwner: Limits) => {
      for (const kind of ordered) {
        const limit = ofOwner[kind.name]
        if (limit === undefined || kind.counts !== counts) continue
        const lease = this.#leaseOf(kind, { subjectId, accountId, limit }, arrivedMs)
        needs.push({ lease, owner, amount })
      }
    }
    add('API key', keyId, limits)
    add('account', accountId, accountLimits)
    return needs
  }

  /** Takes all needs or none. Returns a promise only if more must be leased first. */
  #acquire(needs: readonly Need[]): undefined | Promise<void> {
    this.#requireLive()
    if (needs.every(({ lease, amount }) => lease.free >= amount)) return this.#take(needs)
    return this.#leaseAndTake(needs)
  }

  async #leaseAndTake(needs: readonly Need[]): Promise<void> {
    const replicaId = this.#replicaId
    const beganMs = this.#options.steadyMs()
    for (;;) {
      const lacking = needs.filter(({ lease, amount }) => lease.free < amount)
      if (lacking.length === 0) return this.#take(needs)
      for (const need of lacking) {
        this.#requireAskable(need)
        this.#requireTime(need, this.#options.steadyMs() - beganMs)
      }
      const nowMs = this.#options.steadyMs()
      const pauseMs = Math.max(...lacking.map(({ lease, amount }) => lease.pauseMs(amount, nowMs)))
      if (pauseMs > 0) {
        await this.#options.delay(pauseMs)
        continue
      }
      // The request also registers with leases that already suffice. Otherwise the call could return their free part.
      const stops = needs.map(({ lease, amount }) => lease.wait(amount, nowMs))
      try {
        await this.#calls.request()
      } finally {
        for (const stop of stops) stop()
      }
      this.#requireLive()
      if (replicaId !== this.#replicaId) throw unavailable('this replica was closed by others')
    }
  }

  #take(needs: readonly Need[]): undefined {
    const nowMs = this.#options.steadyMs()
    for (const { lease, amount } of needs) lease.take(amount, nowMs)
    if (needs.some(({ lease }) => lease.isLow)) this.#calls.requestSoon()
  }

  /** @throws ServiceError rate_limit_exceeded, insufficient_quota */
  #requireAskable(need: Need): void {
    const waitMs = need.lease.waitMs(need.amount, this.#options.steadyMs())
    if (waitMs > 0) throw this.#refusal(need, waitMs)
  }

  /**
   * Refuses a request that has waited for other replicas long enough.
   * @throws ServiceError rate_limit_exceeded
   */
  #requireTime(need: Need, waitedMs: number): void {
    const { lease, owner } = need
    const { kind } = lease.pool
    if (kind.window === 'parallel') {
      if (waitedMs > placeWaitMsMax) throw this.#refusal(need, placeRetryMs)
    } else if (waitedMs > waitMsMax)
      throw contendedRefusal(kind, { limit: lease.limit, owner, waitMs: tickMs })
  }

  #refusal({ lease, owner, amount }: Need, waitMs: number) {
    const { limit } = lease
    return limitRefusal(lease.pool.kind, {
      limit,
      remaining: lease.remaining(limit),
      amount,
      waitMs,
      owner,
    })
  }

  /** @throws ServiceError ledger_unavailable */
  #requireLive(): void {
    this.#followReplica()
    if (!this.#options.replica.isLive)
      throw unavailable('the registration of this replica may have expired')
  }

  /** Returns places of ended requests, so that other replicas need not wait for the next tick. */
  #returnPlaces(): void {
    if (!this.#hasFreePlaces || !this.#options.replica.isLive) return
    this.#hasFreePlaces = false
    this.#calls.request().catch(() => {})
  }

  /** Drops all leases if other replicas have closed this replica. */
  #followReplica(): void {
    const { id } = this.#options.replica
    if (id === this.#replicaId) return
    this.#replicaId = id
    this.#leases.clear()
    this.#unrecorded = []
  }

  #recordSettled(): void {
    this.#unrecorded = this.#unrecorded.filter(({ requestId, lease, amount, used }) => {
      if (this.#options.isOpen(requestId)) return true
      lease.record(amount, used)
      return false
    })
  }

  async #send(database: Pick<Database, 'writeReturning'>, items: string): Promise<readonly Row[]> {
    const replicaId = this.#replicaId
    const rows = await database.writeReturning(renewLeases(replicaId, items))
    return replicaId === this.#options.replica.id ? rows : []
  }

  #leaseOf(
    kind: KeyLimit,
    { subjectId, accountId, limit }: { subjectId: string; accountId: string; limit: number },
    wallMs: number,
  ): Lease {
    const beginMs = beginOf(kind, wallMs)
    const id = idOf(subjectId, kind, beginMs)
    const known = this.#leases.get(id)
    if (known !== undefined) {
      known.setLimit(limit)
      return known
    }
    const pool = { subjectId, accountId, kind, beginMs }
    const lease = new Lease(pool, limit, ++this.#nonce, this.#options.steadyMs())
    this.#leases.set(id, lease)
    return lease
  }

  #forget(lease: Lease): void {
    const { subjectId, kind, beginMs } = lease.pool
    this.#leases.delete(idOf(subjectId, kind, beginMs))
  }
}

type HoldOptions = {
  requestId: string | undefined
  tokens: (amount: number) => Need[]
  acquire: (needs: readonly Need[]) => undefined | Promise<void>
  keep: (unrecorded: Unrecorded) => void
  /** Called when the place of a request under a limit on parallel requests is free again. */
  onFreePlace: () => void
}

/** The parts that one request has taken from its leases. */
class LeasedHold implements Hold {
  readonly #options: HoldOptions
  #requests: readonly Need[] = []
  #tokens: readonly Need[] = []
  #isEnded = false

  constructor(options: HoldOptions) {
    this.#options = options
  }

  enter(needs: readonly Need[]): undefined | Promise<void> {
    const taking = this.#options.acquire(needs)
    if (taking === undefined) this.#requests = needs
    return taking?.then(() => {
      this.#requests = needs
    })
  }

  async reserve(tokens: number): Promise<void> {
    const needs = this.#options.tokens(tokens)
    try {
      await this.#options.acquire(needs)
    } catch (error) {
      for (const need of this.#requests) this.#count(need, 0)
      this.#requests = []
      throw error
    }
    if (this.#isEnded) for (const { lease, amount } of needs) lease.end(amount, 0)
    else this.#tokens = needs
  }

  end(usedTokens: number): void {
    this.#isEnded = true
    for (const need of this.#requests) this.#count(need, 1)
    for (const need of this.#tokens) this.#count(need, usedTokens)
    this.#requests = []
    this.#tokens = []
  }

  #count({ lease, amount }: Need, used: number): void {
    lease.end(amount, used)
    const { window } = lease.pool.kind
    if (window === 'parallel') this.#options.onFreePlace()
    if (used === 0 || (window !== 'day' && window !== 'month')) return
    const { requestId } = this.#options
    if (requestId === undefined) lease.record(amount, used)
    else this.#options.keep({ requestId, lease, amount, used })
  }
}

function idOf(subjectId: string, { name }: KeyLimit, beginMs: number): string {
  return `${subjectId} ${name} ${beginMs}`
}

function beginOf({ window }: KeyLimit, wallMs: number): number {
  if (window === 'day') return startOfDay(wallMs)
  return window === 'month' ? startOfMonth(wallMs) : 0
}

/** Returns the milliseconds until the whole limit is available again. */
function resetMs(
  { window }: KeyLimit,
  { limit, remaining }: { limit: number; remaining: number },
  nowMs: number,
): number {
  switch (window) {
    case 'parallel':
      return 0
    case 'minute':
      return Math.ceil(((limit - remaining) * 60_000) / limit)
    case 'day':
      return startOfNextDay(nowMs) - nowMs
    case 'month':
      return startOfNextMonth(nowMs) - nowMs
  }
}
