import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../storage/database.ts'
import { rawQuery } from '../../storage/statement.ts'
import { type LatencyHistogram, latencyColumns } from '../latency-histogram.ts'

/** Figures of one period. The database keeps their sums by hour, not by day or month. */
export type UsageDetails = {
  /** Requests that were refused before a token was generated. */
  refused: number
  /** Requests that got a first token, by queueing time (from arrival to the start of generation). */
  queue: LatencyHistogram
  /** The same requests, by time to first token (from arrival). */
  firstToken: LatencyHistogram
}

/**
 * Returns the details from each boundary to the next. An hour counts in the period in which it begins. Histograms are
 * empty for hours whose receipts were deleted.
 * @throws ServiceError ledger_unavailable
 */
export async function readUsageDetails(
  database: Database,
  accountId: string,
  boundariesMs: readonly number[],
  keyId = '',
): Promise<UsageDetails[]> {
  const periods = JSON.stringify(
    boundariesMs.slice(1).map((endMs, index) => [index, boundariesMs[index], endMs]),
  )
  const [refusals, times] = await Promise.all([
    database.readAside(sumRefusals(periods, accountId, keyId)),
    database.readAside(sumTimes(periods, accountId, keyId)),
  ])
  const details = boundariesMs.slice(1).map(() => ({
    refused: 0,
    queue: latencyColumns.map(() => 0),
    firstToken: latencyColumns.map(() => 0),
  }))
  for (const { period, refused } of refusals) {
    const one = details[period]
    if (one !== undefined) one.refused = refused
  }
  for (const { period, bucket, queued, first_tokens: firstTokens } of times) {
    const one = details[period]
    if (one === undefined) continue
    one.queue[bucket] = queued
    one.firstToken[bucket] = firstTokens
  }
  return details
}

export function addDetails(all: readonly UsageDetails[]): UsageDetails {
  const histogram = (of: (details: UsageDetails) => LatencyHistogram) =>
    latencyColumns.map((_, bucket) => all.reduce((sum, one) => sum + (of(one)[bucket] ?? 0), 0))
  return {
    refused: all.reduce((sum, { refused }) => sum + refused, 0),
    queue: histogram(({ queue }) => queue),
    firstToken: histogram(({ firstToken }) => firstToken),
  }
}

function sumRefusals(periods: string, accountId: string, keyId: string) {
  return rawQuery<{ period: number; refused: number }>(sql`
    ${withPeriods(periods)}
    select periods.period as period, cast(sum(usage_errors.refused) as bigint) as refused
    from periods cross join usage_errors on usage_errors.account_id = ${accountId}
      and usage_errors.key_id = ${keyId}
      and usage_errors.begin_ms >= periods.begin_ms and usage_errors.begin_ms < periods.end_ms
    group by periods.period`)
}

function sumTimes(periods: string, accountId: string, keyId: string) {
  return rawQuery<{ period: number; bucket: number; queued: number; first_tokens: number }>(sql`
    ${withPeriods(periods)}
    select periods.period as period, usage_times.bucket as bucket,
      cast(sum(usage_times.queued) as bigint) as queued,
      cast(sum(usage_times.first_tokens) as bigint) as first_tokens
    from periods cross join usage_times on usage_times.account_id = ${accountId}
      and usage_times.key_id = ${keyId}
      and usage_times.begin_ms >= periods.begin_ms and usage_times.begin_ms < periods.end_ms
    group by periods.period, usage_times.bucket`)
}

function withPeriods(periods: string): RawBuilder<unknown> {
  return sql`with periods as materialized (
      select cast(value ->> 0 as bigint) as period, cast(value ->> 1 as bigint) as begin_ms,
        cast(value ->> 2 as bigint) as end_ms
      from json_each(${periods})
    )`
}
