import { sql } from 'kysely'
import { queries, template } from '../storage/statement.ts'

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

/** Over all settled entries of the account. */
export function sumAll(accountId: string) {
  return queries
    .selectFrom('usage_sums')
    .select(({ fn }) => [
      fn.sum('requests').as('requests'),
      fn.sum('prompt_tokens').as('prompt_tokens'),
      fn.sum('cached_tokens').as('cached_tokens'),
      fn.sum('completion_tokens').as('completion_tokens'),
    ])
    .where('account_id', '=', accountId)
    .where('span', '=', 'month')
}

/** Tokens of each key, billed or not, in the month and on the day (of UTC) that begin then; of settled entries. */
export function sumMonthAndDay(monthMs: number, dayMs: number) {
  const sumsOf = (span: 'month' | 'day', beginMs: number) =>
    queries
      .selectFrom('usage_sums')
      .select([
        'account_id',
        'key_id',
        'span',
        sql<number>`prompt_tokens + completion_tokens`.as('tokens'),
      ])
      // A literal, so that SQLite sees that the span's own index will do.
      .where('span', '=', sql.lit(span))
      .where('begin_ms', '=', beginMs)
  return sumsOf('month', monthMs).unionAll(sumsOf('day', dayMs))
}

/**
 * Of each key since then. The recent rows are taken first: for the groups alone SQLite would read the
 * whole table in their order.
 */
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
