import { type RawBuilder, sql } from 'kysely'
import { queries, template } from '../storage/statement.ts'
import type { Guarded } from '../storage/unit.ts'
import { releaseKey } from './idempotency-statements.ts'
import { replicaExpiryMs } from './usage-limits.ts'

export type Reserved = {
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
  seed: number | null
  fingerprint: string | null
  parameters: string | null
  ignored: string | null
}

export const insertReserved = template<Reserved>((value) => insertEntry(value, value('bootId')))

/** Works in PostgreSQL only. Fails if other replicas have closed the one with the id `bootId`. */
export const insertReservedByReplica = template<Reserved>((value) =>
  insertEntry(value, sql<string>`pipit_fence(${value('bootId')}, ${sql.lit(replicaExpiryMs)})`),
)

function insertEntry(
  value: <Name extends keyof Reserved>(name: Name) => Reserved[Name],
  bootId: string | RawBuilder<string>,
) {
  return queries.insertInto('usage').values({
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
    boot_id: bootId,
    seed: value('seed'),
    fingerprint: value('fingerprint'),
    parameters: value('parameters'),
    ignored: value('ignored'),
  })
}

/**
 * Deletes a reserved entry and releases its key. Inserts the entry first, which waits for a transaction that may still
 * commit it: PostgreSQL can be committing a reservation whose connection has already been given up, and a deletion alone
 * would not see that row. Changes nothing once the entry is settled.
 */
export function withdrawal(entry: Reserved): Guarded {
  const { requestId } = entry
  return {
    guard: lockReserved(entry),
    steps: [deleteReserved({ requestId }), releaseKey({ requestId })],
    additions: [],
  }
}

const lockReserved = template<Reserved>((value) =>
  insertEntry(value, value('bootId')).onConflict((conflict) =>
    conflict
      .column('request_id')
      .doUpdateSet({ state: 'reserved' })
      .where('usage.state', '=', 'reserved'),
  ),
)

const deleteReserved = template<{ requestId: string }>((value) =>
  queries.deleteFrom('usage').where('request_id', '=', value('requestId')),
)

type Final = {
  requestId: string
  outcome: string
  finishReason: string | null
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  reasoningTokens: number | null
  queueMs: number | null
  prefillMs: number | null
  decodeMs: number | null
  errorCode: string | null
  errorParam: string | null
  errorMessage: string | null
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
      reasoning_tokens: value('reasoningTokens'),
      queue_ms: value('queueMs'),
      prefill_ms: value('prefillMs'),
      decode_ms: value('decodeMs'),
      error_code: value('errorCode'),
      error_param: value('errorParam'),
      error_message: value('errorMessage'),
      updated_ms: value('nowMs'),
    })
    .where('request_id', '=', value('requestId'))
    .where('state', '=', 'reserved'),
)

/** Has no effect on a settled entry, so a late checkpoint cannot replace the final count. */
export const keepCheckpoint = template<{
  requestId: string
  completionTokens: number
  nowMs: number
}>((value) =>
  queries
    .updateTable('usage')
    .set({
      completion_tokens: value('completionTokens'),
      updated_ms: value('nowMs'),
    })
    .where('request_id', '=', value('requestId'))
    .where('state', '=', 'reserved'),
)

/**
 * Selects the open entries of all service runs. The condition on `boot_id` makes SQLite use the index of reserved
 * entries.
 */
export function findReserved() {
  return queries
    .selectFrom('usage')
    .select('request_id')
    .where('state', '=', sql.lit('reserved'))
    .where('boot_id', '>=', '')
}

/** @param requestIds a JSON list */
export const finalizeOrphans = template<{ requestIds: string; nowMs: number }>((value) =>
  queries
    .updateTable('usage')
    .set({
      state: 'final',
      outcome: 'server_crash',
      error_code: 'internal_error',
      updated_ms: value('nowMs'),
    })
    .where('state', '=', sql.lit('reserved'))
    .where('request_id', 'in', sql<string>`(select value from json_each(${value('requestIds')}))`),
)

export function findEntry(requestId: string) {
  return queries.selectFrom('usage').selectAll().where('request_id', '=', requestId)
}
