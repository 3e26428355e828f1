import { sql } from 'kysely'
import { usageKeysMax } from '../limits.ts'
import type { Database } from '../storage/database.ts'
import { queries, rawQuery } from '../storage/statement.ts'
import { type LatencyHistogram, latencyColumns } from './latency-histogram.ts'
import { readUsageDetails, type UsageDetails } from './times/usage-details.ts'
import { dayMs } from '../time/durations.ts'
import { startOfDay, startOfMonth, startOfNextMonth } from './utc-periods.ts'
import { summedColumns } from './usage-sums-statements.ts'

export type UsageSums = {
  requests: number
  errors: number
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  latencies: LatencyHistogram
}

/** Requests with one error code, and how many of them have a receipt. */
type ErrorUsage = { code: string; requests: number; receipts: number }
export type AccountUse = { requests: number; promptTokens: number; completionTokens: number }
type KeyUsage = { keyId: string; sums: UsageSums }
/** Tokens of a key between two boundaries; `period` counts from 0. */
type KeyTokens = {
  keyId: string
  period: number
  promptTokens: number
  cachedTokens: number
  completionTokens: number
}

/** Usage of an account and its keys, from the sums by hour, day and month. Times are rounded to whole hours. */
export class UsageReport {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Returns the usage from each boundary to the next. An hour counts in the period in which it begins.
   * @throws ServiceError ledger_unavailable
   */
  async periods(
    accountId: string,
    boundariesMs: readonly number[],
    keyId = '',
  ): Promise<UsageSums[]> {
    const rows = await this.#database.readAside(sumPeriods(accountId, keyId, boundariesMs))
    return rows.map(({ sums }) => parseSums(sums))
  }

  /**
   * Returns, from each boundary to the next, the figures that are kept only by hour: refusals, queueing times and times
   * to first token.
   * @throws ServiceError ledger_unavailable
   */
  details(accountId: string, boundariesMs: readonly number[], keyId = ''): Promise<UsageDetails[]> {
    return readUsageDetails(this.#database, accountId, boundariesMs, keyId)
  }

  /**
   * Returns the errors of an account, or of one of its keys, the most frequent first.
   * @throws ServiceError ledger_unavailable
   */
  async errors(accountId: string, fromMs: number, toMs: number, keyId = ''): Promise<ErrorUsage[]> {
    return await this.#database.readAside(
      queries
        .selectFrom('usage_errors')
        .select(({ fn }) => [
          'code',
          fn.sum<number>('requests').as('requests'),
          fn.sum<number>('receipts').as('receipts'),
        ])
        .where('account_id', '=', accountId)
        .where('key_id', '=', keyId)
        .where('begin_ms', '>=', fromMs)
        .where('begin_ms', '<', toMs)
        .groupBy('code')
        .orderBy('requests', 'desc')
        .orderBy('code'),
    )
  }

  /**
   * Returns the keys with the most prompt and completion tokens, and the number of keys left out.
   * @throws ServiceError ledger_unavailable
   */
  async keys(
    accountId: string,
    fromMs: number,
    toMs: number,
    keysMax = usageKeysMax,
  ): Promise<{ keys: KeyUsage[]; leftOut: number }> {
    if (fromMs >= toMs) return { keys: [], leftOut: 0 }
    const rows = await this.#database.readAside(sumKeys(accountId, fromMs, toMs, keysMax))
    return {
      keys: rows.map(({ key_id, sums }) => ({ keyId: key_id, sums: parseSums(sums) })),
      leftOut: (rows[0]?.keys ?? 0) - rows.length,
    }
  }

  /**
   * Returns the use of the given accounts since the start of the UTC month. Accounts without use are left out.
   * @throws ServiceError ledger_unavailable
   */
  async monthOfAccounts(
    accountIds: readonly string[],
    nowMs: number,
  ): Promise<ReadonlyMap<string, AccountUse>> {
    const rows = await this.#database.readAside(sumMonth(accountIds, startOfMonth(nowMs)))
    return new Map(rows.map(({ accountId, ...use }) => [accountId, use]))
  }

  /**
   * Returns the tokens of the given keys from each boundary to the next. Keys and periods without use are left out.
   * @param boundariesMs whole hours
   * @throws ServiceError ledger_unavailable
   */
  tokensOfKeys(
    accountId: string,
    keyIds: readonly string[],
    boundariesMs: readonly number[],
  ): Promise<KeyTokens[]> {
    return this.#database.readAside(sumTokensOfKeys(accountId, keyIds, boundariesMs))
  }
}

export function addSums(all: readonly UsageSums[]): UsageSums {
  const total = (of: (sums: UsageSums) => number) => all.reduce((sum, one) => sum + of(one), 0)
  return {
    requests: total((sums) => sums.requests),
    errors: total((sums) => sums.errors),
    promptTokens: total((sums) => sums.promptTokens),
    cachedTokens: total((sums) => sums.cachedTokens),
    completionTokens: total((sums) => sums.completionTokens),
    latencies: latencyColumns.map((_, bucket) => total((sums) => sums.latencies[bucket] ?? 0)),
  }
}

/** All sums as one text, because forty columns of a thousand rows would take long to cross threads. */
const sumsAsText = sql<string>`concat_ws(' ', ${sql.join(
  [...summedColumns, ...latencyColumns].map((name) => sql`sum(${sql.ref(name)})`),
)})`

/** Parses `sumsAsText`, which is empty without rows; then all sums are 0. */
function parseSums(text: string): UsageSums {
  const [
    requests = 0,
    errors = 0,
    promptTokens = 0,
    cachedTokens = 0,
    completionTokens = 0,
    ...latencies
  ] = text === '' ? [] : text.split(' ').map(Number)
  return { requests, errors, promptTokens, cachedTokens, completionTokens, latencies }
}

function sumPeriods(accountId: string, keyId: string, boundariesMs: readonly number[]) {
  const periods = boundariesMs.slice(1).map((endMs, index) => [boundariesMs[index], endMs])
  return rawQuery<{ sums: string }>(sql`
    with periods as materialized (
      select cast(value ->> 0 as bigint) as begin_ms, cast(value ->> 1 as bigint) as end_ms
      from json_each(${JSON.stringify(periods)})
    )
    select (
      select ${sumsAsText} from usage_sums
      where account_id = ${accountId} and span = 'hour' and key_id = ${keyId}
        and usage_sums.begin_ms >= periods.begin_ms and usage_sums.begin_ms < periods.end_ms
    ) as sums
    from periods order by begin_ms`)
}

/**
 * Sums whole months, the remaining whole days and the remaining hours, so the number of rows to read grows with the
 * keys but hardly with the length of time. The tokens of an unused key are null.
 */
function sumKeys(accountId: string, fromMs: number, toMs: number, keysMax: number) {
  const parts = JSON.stringify(partsOf(fromMs, toMs))
  const ofKey = sql`from parts cross join usage_sums on usage_sums.account_id = ${accountId}
    and usage_sums.span = parts.span and usage_sums.key_id = active.key_id
    and usage_sums.begin_ms >= parts.begin_ms and usage_sums.begin_ms < parts.end_ms`
  return rawQuery<{ key_id: string; keys: number; sums: string }>(sql`
    with parts as materialized (
      select value ->> 0 as span, cast(value ->> 1 as bigint) as begin_ms, cast(value ->> 2 as bigint) as end_ms
      from json_each(${parts})
    ),
    active as materialized (
      select distinct key_id from usage_sums
      where account_id = ${accountId} and span = 'month'
        and begin_ms >= ${startOfMonth(fromMs)} and begin_ms < ${toMs}
    ),
    used as materialized (
      select key_id, (select sum(prompt_tokens + completion_tokens) ${ofKey}) as tokens from active
    ),
    most as materialized (
      select key_id, tokens from used where tokens is not null order by tokens desc, key_id limit ${keysMax}
    )
    select active.key_id, (select count(tokens) from used) as keys, (select ${sumsAsText} ${ofKey}) as sums
    from most as active order by active.tokens desc, active.key_id`)
}

function sumMonth(accountIds: readonly string[], monthMs: number) {
  return (
    queries
      .selectFrom('usage_sums')
      .select(({ fn }) => [
        'account_id as accountId',
        fn.sum<number>('requests').as('requests'),
        fn.sum<number>('prompt_tokens').as('promptTokens'),
        fn.sum<number>('completion_tokens').as('completionTokens'),
      ])
      // A literal lets SQLite use the partial index of the months.
      .where('span', '=', sql.lit('month'))
      .where('begin_ms', '=', monthMs)
      .where(
        'account_id',
        'in',
        sql<string>`(select value from json_each(${JSON.stringify(accountIds)}))`,
      )
      .groupBy('account_id')
  )
}

function sumTokensOfKeys(
  accountId: string,
  keyIds: readonly string[],
  boundariesMs: readonly number[],
) {
  const parts = boundariesMs
    .slice(1)
    .flatMap((toMs, period) =>
      partsOf(boundariesMs[period] ?? toMs, toMs).map((part) => [...part, period]),
    )
  return rawQuery<KeyTokens>(sql`
    with parts as materialized (
      select value ->> 0 as span, cast(value ->> 1 as bigint) as begin_ms, cast(value ->> 2 as bigint) as end_ms,
        cast(value ->> 3 as integer) as period
      from json_each(${JSON.stringify(parts)})
    ),
    wanted as materialized (select value ->> 0 as key_id from json_each(${JSON.stringify(keyIds.map((id) => [id]))}))
    select wanted.key_id as "keyId", parts.period, sum(prompt_tokens) as "promptTokens",
      sum(cached_tokens) as "cachedTokens", sum(completion_tokens) as "completionTokens"
    from wanted cross join parts cross join usage_sums on usage_sums.account_id = ${accountId}
      and usage_sums.span = parts.span and usage_sums.key_id = wanted.key_id
      and usage_sums.begin_ms >= parts.begin_ms and usage_sums.begin_ms < parts.end_ms
    group by wanted.key_id, parts.period`)
}

type Part = [span: 'hour' | 'day' | 'month', beginMs: number, endMs: number]

/** Splits a span of time, which begins and ends at whole hours, into the fewest months, days and hours. */
function partsOf(fromMs: number, toMs: number): Part[] {
  const days = { beginMs: startOfDay(fromMs + dayMs - 1), endMs: startOfDay(toMs) }
  if (days.beginMs >= days.endMs) return [['hour', fromMs, toMs]]
  const months = {
    beginMs:
      startOfMonth(days.beginMs) === days.beginMs ? days.beginMs : startOfNextMonth(days.beginMs),
    endMs: startOfMonth(days.endMs),
  }
  const hours: Part[] = [
    ['hour', fromMs, days.beginMs],
    ['hour', days.endMs, toMs],
  ]
  if (months.beginMs >= months.endMs) return [...hours, ['day', days.beginMs, days.endMs]]
  return [
    ...hours,
    ['day', days.beginMs, months.beginMs],
    ['day', months.endMs, days.endMs],
    ['month', months.beginMs, months.endMs],
  ]
}
