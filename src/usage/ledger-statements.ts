import { type SelectQueryBuilder, sql } from 'kysely'
import { queries, template } from '../storage/statement.ts'
import type { Tables, UsageHourRow } from '../storage/tables.ts'

const hourMs = 3_600_000

type Reserved = {
  requestId: string
  accountId: string
  keyId: string
  model: string
  route: string
  stream: number
  createdMs: number
  promptTokens: number
  maxTokens: number
  nowMs: number
  bootId: string
  seed: number
  fingerprint: string
  parameters: string | null
  ignored: string | null
}

export const insertReserved = template<Reserved>((value) =>
  queries.insertInto('usage').values({
    request_id: value('requestId'),
    account_id: value('accountId'),
    key_id: value('keyId'),
    model: value('model'),
    route: value('route'),
    stream: value('stream'),
    created_ms: value('createdMs'),
    state: 'reserved',
    prompt_tokens: value('promptTokens'),
    max_tokens: value('maxTokens'),
    updated_ms: value('nowMs'),
    boot_id: value('bootId'),
    seed: value('seed'),
    fingerprint: value('fingerprint'),
    parameters: value('parameters'),
    ignored: value('ignored'),
  }),
)

export const deleteReserved = template<{ requestId: string }>((value) =>
  queries
    .deleteFrom('usage')
    .where('request_id', '=', value('requestId'))
    .where('state', '=', 'reserved'),
)

type Final = {
  requestId: string
  outcome: string
  finishReason: string | null
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  source: string
  billable: number
  queueMs: number | null
  prefillMs: number | null
  decodeMs: number | null
  errorCode: string | null
  nowMs: number
}

export const finalize = template<Final>((value) =>
  queries
    .updateTable('usage')
    .set({
      state: 'final',
      outcome: value('outcome'),
      finish_reason: value('finishReason'),
      prompt_tokens: value('promptTokens'),
      cached_tokens: value('cachedTokens'),
      completion_tokens: value('completionTokens'),
      source: value('source'),
      billable: value('billable'),
      queue_ms: value('queueMs'),
      prefill_ms: value('prefillMs'),
      decode_ms: value('decodeMs'),
      error_code: value('errorCode'),
      updated_ms: value('nowMs'),
    })
    .where('request_id', '=', value('requestId'))
    .where('state', '=', 'reserved'),
)

/** To be run in the same unit as `finalize`, and only if that changed the row. */
export const addToHour = template<{ requestId: string }>((value) =>
  addToHours(
    queries
      .selectFrom('usage')
      .select((eb) => [
        'account_id',
        hourOf().as('hour_ms'),
        'key_id',
        'model',
        eb.fn.coalesce('billable', eb.lit(0)).as('billable'),
        eb.lit(1).as('requests'),
        'prompt_tokens',
        eb.fn.coalesce('cached_tokens', eb.lit(0)).as('cached_tokens'),
        eb.fn.coalesce('completion_tokens', eb.lit(0)).as('completion_tokens'),
      ])
      .where('request_id', '=', value('requestId')),
  ),
)

/** Never backwards: a late checkpoint says less than what is there. */
export const keepCheckpoint = template<{
  requestId: string
  completionTokens: number
  nowMs: number
}>((value) =>
  queries
    .updateTable('usage')
    .set({
      completion_tokens: value('completionTokens'),
      source: 'checkpoint',
      updated_ms: value('nowMs'),
    })
    .where('request_id', '=', value('requestId'))
    .where('state', '=', 'reserved'),
)

export function countOrphans(bootId: string) {
  return queries
    .selectFrom('usage')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('state', '=', sql.lit('reserved'))
    .where('boot_id', '!=', bootId)
}

/** To be run in the same unit as `finalizeOrphans`, and before it. */
export const addOrphansToHours = template<{ bootId: string }>((value) =>
  addToHours(
    queries
      .selectFrom('usage')
      .select((eb) => [
        'account_id',
        hourOf().as('hour_ms'),
        'key_id',
        'model',
        eb.lit(0).as('billable'),
        eb.fn.countAll<number>().as('requests'),
        eb.fn.sum<number>('prompt_tokens').as('prompt_tokens'),
        eb.fn.coalesce(eb.fn.sum<number>('cached_tokens'), eb.lit(0)).as('cached_tokens'),
        eb.fn.coalesce(eb.fn.sum<number>('completion_tokens'), eb.lit(0)).as('completion_tokens'),
      ])
      .where('state', '=', sql.lit('reserved'))
      .where('boot_id', '!=', value('bootId'))
      .groupBy(['account_id', hourOf(), 'key_id', 'model']),
  ),
)

export const finalizeOrphans = template<{ bootId: string; nowMs: number }>((value) =>
  queries
    .updateTable('usage')
    .set({
      state: 'final',
      outcome: 'server_crash',
      billable: 0,
      error_code: 'internal_error',
      updated_ms: value('nowMs'),
    })
    .where('state', '=', sql.lit('reserved'))
    .where('boot_id', '!=', value('bootId')),
)

export function findEntry(requestId: string) {
  return queries.selectFrom('usage').selectAll().where('request_id', '=', requestId)
}

export function sumHours(accountId: string) {
  return queries
    .selectFrom('usage_hour')
    .select(({ fn }) => [
      fn.sum('requests').as('requests'),
      fn.sum('prompt_tokens').as('prompt_tokens'),
      fn.sum('cached_tokens').as('cached_tokens'),
      fn.sum('completion_tokens').as('completion_tokens'),
    ])
    .where('account_id', '=', accountId)
}

type Span = { beginMs: number; endMs: number }

/**
 * Tokens of each key in both times, billed or not; of settled entries. Here and below the
 * recent rows are taken first: for the groups alone SQLite would read the whole table in their order.
 */
export function sumMonth(month: Span, day: Span) {
  return queries
    .with(
      (cte) => cte('recent').materialized(),
      (db) =>
        db
          .selectFrom('usage_hour')
          .select([
            'account_id',
            'key_id',
            'hour_ms',
            sql<number>`prompt_tokens + completion_tokens`.as('tokens'),
          ])
          .where('hour_ms', '>=', month.beginMs)
          .where('hour_ms', '<', month.endMs),
    )
    .selectFrom('recent')
    .select(({ fn }) => [
      'account_id',
      'key_id',
      fn.sum<number>('tokens').as('month_tokens'),
      sql<number>`sum(case when hour_ms >= ${day.beginMs} and hour_ms < ${day.endMs} then tokens else 0 end)`.as(
        'day_tokens',
      ),
    ])
    .groupBy(['account_id', 'key_id'])
}

export function sumMinute(sinceMs: number) {
  return queries
    .with(
      (cte) => cte('recent').materialized(),
      (db) =>
        db
          .selectFrom('usage')
          .select([
            'account_id',
            'key_id',
            sql<number>`prompt_tokens + coalesce(completion_tokens, 0)`.as('tokens'),
          ])
          .where('created_ms', '>', sinceMs),
    )
    .selectFrom('recent')
    .select(({ fn }) => [
      'account_id',
      'key_id',
      fn.countAll<number>().as('requests'),
      fn.sum<number>('tokens').as('tokens'),
    ])
    .groupBy(['account_id', 'key_id'])
}

function hourOf() {
  return sql<number>`created_ms - created_ms % ${sql.lit(hourMs)}`
}

function addToHours(rows: SelectQueryBuilder<Tables, 'usage', UsageHourRow>) {
  return queries
    .insertInto('usage_hour')
    .columns([
      'account_id',
      'hour_ms',
      'key_id',
      'model',
      'billable',
      'requests',
      'prompt_tokens',
      'cached_tokens',
      'completion_tokens',
    ])
    .expression(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'hour_ms', 'key_id', 'model', 'billable'])
        .doUpdateSet((eb) => ({
          requests: eb('usage_hour.requests', '+', eb.ref('excluded.requests')),
          prompt_tokens: eb('usage_hour.prompt_tokens', '+', eb.ref('excluded.prompt_tokens')),
          cached_tokens: eb('usage_hour.cached_tokens', '+', eb.ref('excluded.cached_tokens')),
          completion_tokens: eb(
            'usage_hour.completion_tokens',
            '+',
            eb.ref('excluded.completion_tokens'),
          ),
        })),
    )
}
