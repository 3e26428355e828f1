import type { Database } from '../storage/database.ts'
import { queries } from '../storage/statement.ts'
import { statusOf } from './outcome.ts'

/** Number of latest requests to read, and minimum tokens of a reply whose speed counts. */
const requestsMax = 500
const tokensMin = 8

/** Speed of one model on this machine as callers saw it: medians over the latest completed requests. */
export type MeasuredSpeed = {
  /** Number of replies that were counted. */
  readonly replies: number
  /** Speed of a single reply, while others may be running. */
  readonly tokensPerSecond: number | undefined
  /** Speed of computing prompt tokens, without those from the cache. */
  readonly promptTokensPerSecond: number | undefined
  /** Time from arrival to the first token, including the queue. */
  readonly firstTokenMs: number | undefined
}

/**
 * Returns the speed of the model with this fingerprint, over the requests of all accounts.
 * @throws ServiceError ledger_unavailable
 */
export async function measureSpeed(
  database: Database,
  fingerprint: string,
): Promise<MeasuredSpeed> {
  const rows = await database.readAside(
    queries
      .selectFrom('usage')
      .select(['outcome', 'fingerprint', 'prompt_tokens', 'cached_tokens', 'completion_tokens'])
      .select(['queue_ms', 'prefill_ms', 'decode_ms'])
      .orderBy('created_ms', 'desc')
      .limit(requestsMax),
  )
  const completed = rows.filter(
    (row) =>
      row.fingerprint === fingerprint &&
      (row.completion_tokens ?? 0) >= tokensMin &&
      statusOf(row.outcome) === 'completed',
  )
  return {
    replies: completed.length,
    // The prefill produces the first token.
    tokensPerSecond: median(
      completed.map((row) => perSecond((row.completion_tokens ?? 1) - 1, row.decode_ms)),
    ),
    promptTokensPerSecond: median(
      completed.map((row) =>
        perSecond(row.prompt_tokens - (row.cached_tokens ?? 0), row.prefill_ms),
      ),
    ),
    firstTokenMs: median(
      completed.map(({ queue_ms, prefill_ms }) =>
        queue_ms === null || prefill_ms === null ? undefined : queue_ms + prefill_ms,
      ),
    ),
  }
}

function perSecond(tokens: number, ms: number | null): number | undefined {
  return ms === null || ms <= 0 || tokens <= 0 ? undefined : (1000 * tokens) / ms
}

function median(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values.filter((value) => value !== undefined).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
