import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ServiceError } from '../../src/errors.ts'
import { toErrorBody } from '../../src/http/reply/error-response.ts'
import type { Limits } from '../../src/key-limits.ts'
import type { Database } from '../../src/storage/database.ts'
import { type Statement, toStatement } from '../../src/storage/statement.ts'
import { Ledger, type LedgerEntry } from '../../src/usage/ledger.ts'
import { sumMonthsAndDays, sumRecent } from '../../src/usage/limits/past-use.ts'
import { RateLimits } from '../../src/usage/limits/rate-limits.ts'
import { selectDays } from '../../src/spending/budgets/budget-use.ts'
import { onPostgres, useDatabases } from '../support/databases.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'

const noonMs = Date.UTC(2026, 5, 15, 12)
const hourMs = 3_600_000

const databases = useDatabases()
let database: Database
let nowMs: number
let steadyMs: number
let rates: RateLimits
const open = () => RateLimits.open(database, { wallMs: () => nowMs, steadyMs: () => steadyMs })
beforeEach(async () => {
  nowMs = noonMs
  steadyMs = 1000
  database = await databases.open()
  rates = await open()
})

const pass = (ms: number) => {
  nowMs += ms
  steadyMs += ms
}
const caller = (limits: Limits, accountLimits: Limits = {}, keyId = 'key_1') => ({
  keyId,
  accountId: 'acct_1',
  limits,
  accountLimits,
})
/** Enters a request and reserves its tokens, as a completion does. */
const begin = (who: ReturnType<typeof caller>, tokens: number, arrivedMs = nowMs) => {
  const hold = rates.enter(who, arrivedMs)
  hold.reserve(tokens)
  return hold
}
const refusal = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    const { code, retryAfterMs } = error as ServiceError
    return { code, type: toErrorBody(error as ServiceError).error.type, retryAfterMs }
  }
  return undefined
}
const left = (who: ReturnType<typeof caller>, name: keyof Limits) => rates.state(who).key[name]

describe('each limit', () => {
  test('requests per minute: a refusal gives the wait to the millisecond', () => {
    const who = caller({ requestsPerMinute: 3 })
    for (let i = 0; i < 3; i++) begin(who, 10).end(10)
    expect(refusal(() => begin(who, 10))).toEqual({
      code: 'rate_limit_exceeded',
      type: 'requests',
      retryAfterMs: 20_000,
    })
    expect(left(who, 'requestsPerMinute')).toEqual({ limit: 3, remaining: 0, resetMs: 60_000 })
    pass(19_999)
    expect(refusal(() => begin(who, 10))?.retryAfterMs).toBe(1)
    pass(1)
    begin(who, 10)
  })

  test('tokens per minute: all tokens are reserved at first, unused ones are released at the end', () => {
    const who = caller({ tokensPerMinute: 600 })
    const hold = begin(who, 500)
    expect(left(who, 'tokensPerMinute')?.remaining).toBe(100)
    expect(refusal(() => begin(who, 200))).toEqual({
      code: 'rate_limit_exceeded',
      type: 'tokens',
      retryAfterMs: 10_000,
    })
    hold.end(50)
    hold.end(0)
    expect(left(who, 'tokensPerMinute')).toEqual({ limit: 600, remaining: 550, resetMs: 5000 })
    begin(who, 550)
    expect(refusal(() => begin(who, 601))?.retryAfterMs).not.toBe(0)
  })

  test('tokens per minute: a request larger than the limit is refused with an infinite wait', () => {
    const who = caller({ tokensPerMinute: 600 })
    expect(refusal(() => begin(who, 601))).toMatchObject({ retryAfterMs: Infinity })
    expect(left(who, 'tokensPerMinute')?.remaining).toBe(600)
  })

  test('parallel requests: the next one is admitted when one ends', () => {
    const who = caller({ parallelRequests: 2 })
    const [first] = [begin(who, 1), begin(who, 1)]
    expect(refusal(() => begin(who, 1))).toMatchObject({
      code: 'rate_limit_exceeded',
      type: 'requests',
    })
    expect(left(who, 'parallelRequests')).toEqual({ limit: 2, remaining: 0, resetMs: 0 })
    first.end(1)
    begin(who, 1)
  })

  test.each(['tokensPerDay', 'tokensPerMonth'] as const)('%s: a spent quota refuses', (name) => {
    const who = caller({ [name]: 1000 })
    begin(who, 600).end(400)
    expect(left(who, name)?.remaining).toBe(600)
    expect(refusal(() => begin(who, 601))).toMatchObject({ code: 'insufficient_quota' })
    begin(who, 600).end(600)
    expect(refusal(() => rates.enter(who, nowMs))).toMatchObject({ code: 'insufficient_quota' })
  })

  test('the limit of an account covers all its keys, and its refusal uses nothing of the key', () => {
    const limits = { requestsPerMinute: 10, tokensPerMinute: 1000 }
    const one = caller(limits, { tokensPerDay: 100 }, 'key_1')
    const two = caller(limits, { tokensPerDay: 100 }, 'key_2')
    begin(one, 60)
    expect(refusal(() => begin(two, 41))).toMatchObject({ code: 'insufficient_quota' })
    expect([left(two, 'requestsPerMinute'), left(two, 'tokensPerMinute')]).toMatchObject([
      { remaining: 10 },
      { remaining: 1000 },
    ])
    begin(two, 40)
    expect(rates.state(one).account.tokensPerDay?.remaining).toBe(0)
  })
})

test('tokens beyond the reservation count against every limit, once', () => {
  const who = caller(
    { tokensPerMinute: 1000, tokensPerDay: 1000, tokensPerMonth: 5000 },
    { tokensPerDay: 2000 },
  )
  const hold = begin(who, 100)
  hold.end(700)
  hold.end(700)
  expect(left(who, 'tokensPerMinute')?.remaining).toBe(300)
  expect(left(who, 'tokensPerDay')?.remaining).toBe(300)
  expect(left(who, 'tokensPerMonth')?.remaining).toBe(4300)
  expect(rates.state(who).account.tokensPerDay?.remaining).toBe(1300)
  begin(who, 100).end(9000)
  expect(refusal(() => rates.enter(who, nowMs))).toMatchObject({ code: 'insufficient_quota' })
  // A minute pays off at most the whole limit.
  pass(60_000)
  expect(left(who, 'tokensPerMinute')?.remaining).toBe(1000)
})

test('when fifty requests race for the last tokens, one of them gets them', async () => {
  const who = caller({ tokensPerDay: 100, tokensPerMinute: 100, requestsPerMinute: 100 })
  begin(who, 50).end(50)
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, async (_, i) => {
      const hold = rates.enter(who, nowMs)
      // Simulates tokenisation, which takes a varying time.
      await new Promise((resolve) => setTimeout(resolve, i % 3))
      hold.reserve(50)
    }),
  )
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  expect(left(who, 'tokensPerDay')?.remaining).toBe(0)
  expect(left(who, 'requestsPerMinute')?.remaining).toBe(98)
  expect(left(who, 'parallelRequests')).toBeUndefined()
})

test('a refusal changes no limit state', () => {
  const who = caller({
    requestsPerMinute: 5,
    tokensPerMinute: 500,
    parallelRequests: 2,
    tokensPerDay: 400,
    tokensPerMonth: 4000,
  })
  begin(who, 300).end(100)
  const before = rates.state(who)
  expect(refusal(() => begin(who, 301))).toMatchObject({ code: 'insufficient_quota' })
  expect(refusal(() => begin(who, 401))).toBeDefined()
  expect(rates.state(who)).toEqual(before)
})

describe('days and months', () => {
  test('tokens released after midnight go back to the day of their reservation', () => {
    const who = caller({ tokensPerDay: 1000 })
    nowMs = Date.UTC(2026, 5, 15, 23, 59, 59)
    const hold = begin(who, 900)
    expect(left(who, 'tokensPerDay')).toEqual({ limit: 1000, remaining: 100, resetMs: 1000 })
    pass(2000)
    expect(left(who, 'tokensPerDay')?.remaining).toBe(1000)
    begin(who, 700)
    hold.end(100)
    expect(left(who, 'tokensPerDay')?.remaining).toBe(300)
    nowMs = Date.UTC(2026, 5, 15, 23)
    expect(left(who, 'tokensPerDay')?.remaining).toBe(900)
  })

  test('the month ends after its last day, in UTC', () => {
    const who = caller({ tokensPerMonth: 1000 })
    nowMs = Date.UTC(2028, 1, 29, 23, 59, 59, 999)
    begin(who, 1000).end(1000)
    expect(left(who, 'tokensPerMonth')).toEqual({ limit: 1000, remaining: 0, resetMs: 1 })
    pass(1)
    expect(left(who, 'tokensPerMonth')).toEqual({
      limit: 1000,
      remaining: 1000,
      resetMs: 31 * 24 * hourMs,
    })
  })

  test('the wall clock may jump: daily usage is kept, and per-minute limits ignore it', () => {
    const who = caller({ tokensPerDay: 1000, tokensPerMinute: 1000 })
    begin(who, 800).end(800)
    for (const jump of [48, -48, -30, 30]) {
      nowMs += jump * hourMs
      expect(left(who, 'tokensPerMinute')?.remaining).toBe(200)
    }
    expect(left(who, 'tokensPerDay')?.remaining).toBe(200)
    nowMs += 48 * hourMs
    expect(left(who, 'tokensPerDay')?.remaining).toBe(1000)
    nowMs -= 48 * hourMs
    expect(left(who, 'tokensPerDay')?.remaining).toBe(200)
  })
})

describe('a restart', () => {
  test('reads the usage of the minute, the day and the month from the ledger', async () => {
    const ledger = Ledger.open(database, 'boot_1', { now: () => nowMs })
    const used = async (id: string, createdMs: number, completionTokens: number) => {
      await ledger.reserve(entry(id, createdMs))
      await ledger.settle(entry(id, createdMs), {
        outcome: 'completed',
        promptTokens: 10,
        cachedTokens: 0,
        completionTokens,
      })
    }
    await used('req_last_month', Date.UTC(2026, 4, 31, 23, 59), 1000)
    await used('req_yesterday', noonMs - 24 * hourMs, 190)
    await used('req_today', noonMs - hourMs, 90)
    await used('req_now', noonMs - 30_000, 40)
    // An entry from a time when the clock was two days ahead.
    await used('req_ahead', noonMs + 48 * hourMs, 300)
    ledger.refuse(entry('req_refused', noonMs - 5000), {
      outcome: 'refused',
      promptTokens: 0,
      cachedTokens: 0,
      completionTokens: 0,
    })
    await ledger.reserve(entry('req_cut', noonMs - 10_000))
    ledger.checkpoint('req_cut', 20)
    await Ledger.open(database, 'boot_2', { now: () => nowMs }).closeOrphans()

    steadyMs = 5
    rates = await open()
    const who = caller({
      requestsPerMinute: 10,
      tokensPerMinute: 1000,
      tokensPerDay: 1000,
      tokensPerMonth: 1000,
    })
    expect(rates.state(who).key).toMatchObject({
      requestsPerMinute: { remaining: 7 },
      tokensPerMinute: { remaining: 610 },
      tokensPerDay: { remaining: 820 },
      tokensPerMonth: { remaining: 310 },
    })
    expect(rates.state(caller({}, { tokensPerMonth: 1000 }, 'key_2')).account).toMatchObject({
      tokensPerMonth: { remaining: 310 },
    })
    pass(60_000)
    expect(left(who, 'tokensPerMinute')?.remaining).toBe(1000)
  })

  test('counts the tokens of a request that waited before it took them', async () => {
    const ledger = Ledger.open(database, 'boot_1', { now: () => nowMs })
    const createdMs = noonMs - 75_000
    await ledger.reserve(entry('req_waited', createdMs))
    const counts = { promptTokens: 10, cachedTokens: 0, completionTokens: 490 }
    await ledger.settle(entry('req_waited', createdMs), { outcome: 'completed', ...counts })
    rates = await open()
    const who = caller({ tokensPerMinute: 1000 })
    expect(left(who, 'tokensPerMinute')?.remaining).toBe(500)
    pass(60_000)
    expect(left(who, 'tokensPerMinute')?.remaining).toBe(1000)
  })

  test('while the clock is wrong by a few hours forgets no use of the right day and month', async () => {
    const midnightMs = Date.UTC(2026, 6, 1)
    const ledger = Ledger.open(database, 'boot_1')
    for (const [id, createdMs] of [
      ['req_before', midnightMs - hourMs],
      ['req_after', midnightMs + hourMs],
    ] as const) {
      await ledger.reserve(entry(id, createdMs))
      const counts = { promptTokens: 10, cachedTokens: 0, completionTokens: 290 }
      await ledger.settle(entry(id, createdMs), { outcome: 'completed', ...counts })
    }
    const who = caller({ tokensPerDay: 1000, tokensPerMonth: 1000 })
    for (const wrongMs of [6 * hourMs, -6 * hourMs]) {
      nowMs = midnightMs + wrongMs
      rates = await open()
      for (const rightMs of [hourMs, -hourMs]) {
        nowMs = midnightMs + rightMs
        expect(left(who, 'tokensPerDay')?.remaining).toBe(700)
        expect(left(who, 'tokensPerMonth')?.remaining).toBe(700)
      }
    }
  })
})

test('a start and the check of budgets find the rows of the minute, the day and the month by an index', ({
  skip,
}) => {
  skip(...onPostgres)
  const file = new Sqlite(join(databases.dataDir, 'pipit.db'), { readonly: true })
  try {
    const planOf = ({ sql, parameters }: Statement) =>
      JSON.stringify(file.prepare(`explain query plan ${sql}`).all(...parameters))
    expect(planOf(toStatement(sumRecent(noonMs)))).toContain(
      'SEARCH usage USING INDEX usage_created',
    )
    const times = { fromMs: noonMs - hourMs, toMs: noonMs }
    for (const span of ['month', 'day'])
      expect(planOf(toStatement(sumMonthsAndDays(times, times)))).toContain(
        `SEARCH usage_sums USING INDEX usage_sums_${span}`,
      )
    expect(planOf(toStatement(selectDays('["acct_1"]', Date.UTC(2026, 5))))).toContain(
      'SEARCH usage_sums USING INDEX usage_sums_day',
    )
  } finally {
    file.close()
  }
})

test('a limit that is set later counts the earlier usage of the key', () => {
  begin(caller({}), 700).end(600)
  expect(left(caller({ tokensPerDay: 1000 }), 'tokensPerDay')?.remaining).toBe(400)
})

function entry(requestId: string, createdMs: number): LedgerEntry {
  return ledgerEntry(requestId, { createdMs, promptTokens: 10 })
}
