import type { LimitName, Limits } from '../../src/key-limits.ts'
import type { UsageRow } from '../../src/storage/tables.ts'
import { minuteMs } from '../../src/time/durations.ts'
import { startOfDay, startOfMonth } from '../../src/usage/utc-periods.ts'
import type { Remains, Report } from './invariants.ts'

/**
 * Checks that no key and no account uses more than a limit, and that all unused tokens are available a minute after the
 * last request. Limits per minute and of parallel requests are checked within each process of the service.
 */
export function checkLimits(remains: Remains, report: Report): void {
  const rows = remains.store.rows<UsageRow>('select * from usage')
  for (const owner of ownersOf(remains)) {
    checkPeriods(owner, rows, report)
    checkParallel(owner, remains, report)
    checkMinute(owner, remains, rows, report)
  }
  checkLeft(remains, rows, report)
}

/** A key or an account with its limits. */
type Owner = { type: 'key' | 'account'; id: string; limits: Limits }

function ownersOf({ schedule }: Remains): Owner[] {
  const accounts = Object.entries(schedule.accountLimits)
  return [
    ...schedule.keys.map(({ keyId, limits }) => ({ type: 'key' as const, id: keyId, limits })),
    ...accounts.map(([id, limits]) => ({ type: 'account' as const, id, limits })),
  ]
}

const periods = { tokensPerDay: startOfDay, tokensPerMonth: startOfMonth } as const

function checkPeriods({ type, id, limits }: Owner, rows: readonly UsageRow[], report: Report) {
  const own = rows.filter((row) => row[`${type}_id`] === id)
  for (const name of ['tokensPerDay', 'tokensPerMonth'] as const) {
    const limit = limits[name] ?? Infinity
    const startOf = periods[name]
    for (const begin of new Set(own.map((row) => startOf(row.created_ms)))) {
      const used = sum(own.filter((row) => startOf(row.created_ms) === begin))
      if (used > limit) report(`${id} used ${used} of ${limit} ${name}`)
    }
  }
}

function checkParallel({ type, id, limits }: Owner, { limitLogs }: Remains, report: Report): void {
  const limit = limits.parallelRequests ?? Infinity
  for (const { grants } of limitLogs)
    for (const grant of grants)
      if (grant[`${type}Id`] === id && grant.running[type] > limit)
        report(`${id} ran ${grant.running[type]} of ${limit} parallelRequests`)
}

/** Amounts that passed a limit per minute, and when. */
type Passed = { atMs: number; amount: number }

function checkMinute(
  { type, id, limits }: Owner,
  { limitLogs }: Remains,
  rows: readonly UsageRow[],
  report: Report,
): void {
  const tokensOfRequest = new Map(rows.map((row) => [row.request_id, tokensOf(row)]))
  for (const log of limitLogs) {
    const grants = log.grants.filter((grant) => grant[`${type}Id`] === id && !grant.isGivenBack)
    const requests = grants.map(({ enteredMs }) => ({ atMs: enteredMs, amount: 1 }))
    const tokens = grants.flatMap(({ requestId, reservedMs }) =>
      reservedMs === undefined
        ? []
        : [{ atMs: reservedMs, amount: tokensOfRequest.get(requestId) ?? 0 }],
    )
    checkBucket(requests, limits, 'requestsPerMinute', (fault) => report(`${id} ${fault}`))
    checkBucket(tokens, limits, 'tokensPerMinute', (fault) => report(`${id} ${fault}`))
  }
}

/**
 * A token bucket holds the limit of one minute and fills up in a minute. So in any span of time, what passes is at most
 * the limit and the part of it that the span refills.
 */
function checkBucket(
  passed: readonly Passed[],
  limits: Limits,
  name: LimitName,
  report: Report,
): void {
  const limit = limits[name]
  if (limit === undefined) return
  const inOrder = passed.toSorted((a, b) => a.atMs - b.atMs)
  for (const [from, first] of inOrder.entries()) {
    let used = 0
    for (const { atMs, amount } of inOrder.slice(from)) {
      used += amount
      const spanMs = atMs - first.atMs
      if (used > limit + (limit * spanMs) / minuteMs)
        return report(`used ${used} in ${spanMs} ms with a limit of ${limit} ${name}`)
    }
  }
}

function checkLeft(
  { schedule, service, starts, store }: Remains,
  rows: readonly UsageRow[],
  report: Report,
): void {
  const todayMs = startOfDay(Date.now())
  for (const key of schedule.keys) {
    const own = rows.filter(({ key_id: id }) => id === key.keyId)
    const caller = service.callerOf(key, schedule.accountLimits[key.accountId] ?? {})
    const { key: states } = service.rateLimits.state(caller)
    for (const name of ['parallelRequests', 'requestsPerMinute', 'tokensPerMinute'] as const) {
      const state = states[name]
      if (state !== undefined && state.remaining !== state.limit)
        report(`${key.keyId} has ${state.remaining} of ${state.limit} ${name} left`)
    }
    const daily = states.tokensPerDay
    if (daily === undefined) continue
    const today = sum(own.filter((row) => startOfDay(row.created_ms) === todayMs))
    const left = Math.max(0, daily.limit - today)
    // A request may end before the write of its reservation fails. The ledger then has no entry for its tokens, but
    // they count in memory until the next start.
    const isExact = starts === 1 && !store.hasMisbehaved
    if (isExact ? daily.remaining !== left : daily.remaining > left)
      report(`${key.keyId} has ${daily.remaining} tokens left, by the ledger ${left}`)
  }
}

function tokensOf(row: UsageRow): number {
  return row.prompt_tokens + (row.completion_tokens ?? 0)
}

function sum(rows: readonly UsageRow[]): number {
  return rows.reduce((all, row) => all + tokensOf(row), 0)
}
