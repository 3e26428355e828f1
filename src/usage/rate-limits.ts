import type { LimitName, Limits } from '../accounts/allowance.ts'
import { ServiceError } from '../errors.ts'
import { ratedSubjectsMax } from '../limits.ts'
import type { Database } from '../storage/database.ts'
import { sumMinute, sumMonthAndDay } from './ledger-statements.ts'
import {
  dayOf,
  monthOf,
  PeriodCounter,
  startOfDay,
  startOfMonth,
  startOfNextDay,
  startOfNextMonth,
} from './period-counter.ts'
import { type Share, TokenBucket } from './token-bucket.ts'

const minuteMs = 60_000
const parallelRetryMs = 1000

/** Whose limits hold: the key's and its account's, both. */
export type Limited = {
  keyId: string
  accountId: string
  limits: Limits
  accountLimits: Limits
}

export type LimitState = { limit: number; remaining: number; resetMs: number }
/** Of a key or of an account; undefined: not limited. */
export type LimitStates = Readonly<Record<LimitName, LimitState | undefined>>

/** `now` tells days and months and may jump; `monotonicMs` never goes back. */
export type Clock = { now: () => number; monotonicMs: () => number }
const systemClock: Clock = { now: Date.now, monotonicMs: () => performance.now() }

/**
 * How much every key and account has left, in memory. A request takes all that it may use before it
 * begins and gives back what it did not use, whatever its end; what counts is what the ledger has.
 */
export class RateLimits {
  readonly #clock: Clock
  readonly #subjects = new Map<string, Subject>()

  private constructor(clock: Clock) {
    this.#clock = clock
  }

  /** To be called when the ledger's orphans are closed: a restart forgives nothing. */
  static async open(database: Database, clock: Clock = systemClock): Promise<RateLimits> {
    const limits = new RateLimits(clock)
    const nowMs = clock.now()
    const steadyMs = limits.#steadyMs()
    for (const row of await database.read(sumMonthAndDay(startOfMonth(nowMs), startOfDay(nowMs))))
      for (const id of [row.account_id, row.key_id]) {
        const { day, month } = limits.#subject(id)
        if (row.span === 'day') day.add(dayOf(nowMs), Number(row.tokens))
        else month.add(monthOf(nowMs), Number(row.tokens))
      }
    // What was taken in the last minute is owed as if none of it were paid off yet.
    for (const row of await database.read(sumMinute(nowMs - minuteMs)))
      for (const id of [row.account_id, row.key_id]) {
        const { requests, tokens } = limits.#subject(id)
        requests.owe(Number(row.requests), steadyMs)
        tokens.owe(Number(row.tokens), steadyMs)
      }
    return limits
  }

  /**
   * Takes one request and a place beside those that run; all or nothing.
   * @param arrivedMs the time by which the ledger counts the request to a day
   * @throws ServiceError rate_limit_exceeded, insufficient_quota
   */
  enter(limited: Limited, arrivedMs: number): Hold {
    const steadyMs = this.#steadyMs()
    const parts = this.#parts(limited)
    for (const part of parts) part.requireRequest(arrivedMs, steadyMs)
    for (const part of parts) part.takeRequest(steadyMs)
    return new Hold(parts, arrivedMs, () => this.#steadyMs())
  }

  /** What is left now. */
  state(limited: Limited): { key: LimitStates; account: LimitStates } {
    const nowMs = this.#clock.now()
    const steadyMs = this.#steadyMs()
    const [key, account] = this.#parts(limited)
    return { key: key.state(nowMs, steadyMs), account: account.state(nowMs, steadyMs) }
  }

  #parts({ keyId, accountId, limits, accountLimits }: Limited): [Part, Part] {
    return [
      new Part(this.#subject(keyId), limits, 'API key'),
      new Part(this.#subject(accountId), accountLimits, 'account'),
    ]
  }

  #subject(id: string): Subject {
    const known = this.#subjects.get(id)
    if (known !== undefined) return known
    if (this.#subjects.size >= ratedSubjectsMax) this.#forgetIdle()
    const subject = {
      running: 0,
      requests: new TokenBucket(),
      tokens: new TokenBucket(),
      day: new PeriodCounter(),
      month: new PeriodCounter(),
    }
    this.#subjects.set(id, subject)
    return subject
  }

  #forgetIdle(): void {
    const month = monthOf(this.#clock.now())
    for (const [id, { running, month: used }] of this.#subjects)
      if (running === 0 && used.of(month) === 0) this.#subjects.delete(id)
  }

  #steadyMs(): number {
    return Math.floor(this.#clock.monotonicMs())
  }
}

/** What one request has taken, until `end`. */
class Hold {
  readonly #parts: readonly Part[]
  readonly #arrivedMs: number
  readonly #steadyMs: () => number
  #ended = false

  constructor(parts: readonly Part[], arrivedMs: number, steadyMs: () => number) {
    this.#parts = parts
    this.#arrivedMs = arrivedMs
    this.#steadyMs = steadyMs
  }

  /**
   * Takes the most that the request may use. A refusal gives everything back, the request too.
   * @throws ServiceError rate_limit_exceeded, insufficient_quota
   */
  reserve(tokens: number): void {
    const steadyMs = this.#steadyMs()
    try {
      for (const part of this.#parts) part.requireTokens(tokens, this.#arrivedMs, steadyMs)
    } catch (error) {
      for (const part of this.#parts) part.giveBackRequest(steadyMs)
      this.end(0)
      throw error
    }
    for (const part of this.#parts) part.takeTokens(tokens, this.#arrivedMs, steadyMs)
  }

  /** Gives back what was not used; a second call changes nothing. */
  end(usedTokens: number): void {
    if (this.#ended) return
    this.#ended = true
    for (const part of this.#parts) part.end(usedTokens, this.#steadyMs())
  }
}
export type { Hold }

type Subject = {
  running: number
  requests: TokenBucket
  tokens: TokenBucket
  day: PeriodCounter
  month: PeriodCounter
}

type Reservation = { share: Share; tokens: number; day: number; month: number }

/** One request's part in what a key or an account has. */
class Part {
  readonly #subject: Subject
  readonly #limits: Limits
  readonly #whose: string
  #request: Share | undefined
  #reservation: Reservation | undefined

  constructor(subject: Subject, limits: Limits, whose: string) {
    this.#subject = subject
    this.#limits = limits
    this.#whose = whose
  }

  requireRequest(arrivedMs: number, steadyMs: number): void {
    const { requestsPerMinute, parallelRequests } = this.#limits
    const { running, requests } = this.#subject
    if (parallelRequests !== undefined && running >= parallelRequests)
      throw rateLimited(
        'requests',
        `This ${this.#whose} runs ${parallelRequests} requests at a time, and has as many. Try again when one has ended.`,
        parallelRetryMs,
      )
    if (requestsPerMinute !== undefined) {
      const waitMs = requests.waitMs(requestsPerMinute, 1, steadyMs)
      if (waitMs > 0)
        throw rateLimited(
          'requests',
          `This ${this.#whose} may send ${requestsPerMinute} requests a minute, and has sent them.`,
          waitMs,
        )
    }
    // What is spent is told before anything is read for it.
    this.requireTokens(1, arrivedMs, steadyMs)
  }

  takeRequest(steadyMs: number): void {
    this.#subject.running += 1
    this.#request = this.#subject.requests.take(this.#limits.requestsPerMinute, 1, steadyMs)
  }

  giveBackRequest(steadyMs: number): void {
    this.#endRequest(1, steadyMs)
  }

  requireTokens(tokens: number, arrivedMs: number, steadyMs: number): void {
    const { tokensPerMinute, tokensPerDay, tokensPerMonth } = this.#limits
    const { day, month } = this.#subject
    this.#requireQuota('day', tokens, tokensPerDay, day.of(dayOf(arrivedMs)))
    this.#requireQuota('month', tokens, tokensPerMonth, month.of(monthOf(arrivedMs)))
    if (tokensPerMinute === undefined) return
    const waitMs = this.#subject.tokens.waitMs(tokensPerMinute, tokens, steadyMs)
    if (waitMs === 0) return
    throw rateLimited(
      'tokens',
      `This ${this.#whose} may use ${tokensPerMinute} tokens a minute; this request may use ${tokens}, prompt and \`max_tokens\` together.`,
      waitMs,
    )
  }

  takeTokens(tokens: number, arrivedMs: number, steadyMs: number): void {
    const [day, month] = [dayOf(arrivedMs), monthOf(arrivedMs)]
    const share = this.#subject.tokens.take(this.#limits.tokensPerMinute, tokens, steadyMs)
    this.#subject.day.add(day, tokens)
    this.#subject.month.add(month, tokens)
    this.#reservation = { share, tokens, day, month }
  }

  end(usedTokens: number, steadyMs: number): void {
    this.#subject.running -= 1
    this.#endRequest(0, steadyMs)
    if (this.#reservation === undefined) return
    const { share, tokens, day, month } = this.#reservation
    const unused = Math.max(0, tokens - usedTokens)
    this.#subject.tokens.giveBack(share, this.#limits.tokensPerMinute, unused, steadyMs)
    this.#subject.day.add(day, -unused)
    this.#subject.month.add(month, -unused)
  }

  state(nowMs: number, steadyMs: number): LimitStates {
    const { requestsPerMinute, tokensPerMinute, parallelRequests, tokensPerDay, tokensPerMonth } =
      this.#limits
    const { running, requests, tokens, day, month } = this.#subject
    const rate = (bucket: TokenBucket, limit: number | undefined) =>
      limit === undefined
        ? undefined
        : {
            limit,
            remaining: bucket.remaining(limit, steadyMs),
            resetMs: bucket.fullInMs(limit, steadyMs),
          }
    const quota = (used: number, limit: number | undefined, resetMs: number) =>
      limit === undefined ? undefined : { limit, remaining: Math.max(0, limit - used), resetMs }
    return {
      requestsPerMinute: rate(requests, requestsPerMinute),
      tokensPerMinute: rate(tokens, tokensPerMinute),
      parallelRequests: quota(running, parallelRequests, 0),
      tokensPerDay: quota(day.of(dayOf(nowMs)), tokensPerDay, startOfNextDay(nowMs) - nowMs),
      tokensPerMonth: quota(
        month.of(monthOf(nowMs)),
        tokensPerMonth,
        startOfNextMonth(nowMs) - nowMs,
      ),
    }
  }

  #endRequest(givenBack: 0 | 1, steadyMs: number): void {
    if (this.#request === undefined) return
    const { requestsPerMinute } = this.#limits
    this.#subject.requests.giveBack(this.#request, requestsPerMinute, givenBack, steadyMs)
    this.#request = undefined
  }

  #requireQuota(
    period: 'day' | 'month',
    tokens: number,
    limit: number | undefined,
    used: number,
  ): void {
    if (limit === undefined || used + tokens <= limit) return
    throw new ServiceError(
      'insufficient_quota',
      `This ${this.#whose} may use ${limit} tokens a ${period} (UTC), of which ${Math.max(0, limit - used)} are left; ` +
        'a request needs its prompt and `max_tokens` together.',
    )
  }
}

function rateLimited(
  type: 'requests' | 'tokens',
  message: string,
  retryAfterMs: number,
): ServiceError {
  return new ServiceError('rate_limit_exceeded', message, { type, retryAfterMs })
}
