import { sql } from 'kysely'
import { retentionBatchMax } from '../limits.ts'
import { queries, template } from '../storage/statement.ts'

/** Identity of an `Idempotency-Key`: keys belong to an account and a route. */
type Key = { accountId: string; route: string; keyDigest: string }

/**
 * Claims a key. Changes no row while another request holds the key: it is running, or its reply is stored and has not
 * expired. Serves as the guard of the unit that reserves the entry.
 */
export const claimKey = template<
  Key & { fingerprint: string; requestId: string; nowMs: number; expiredMs: number }
>((value) =>
  queries
    .insertInto('idempotency')
    .values({
      account_id: value('accountId'),
      route: value('route'),
      key_digest: value('keyDigest'),
      fingerprint: value('fingerprint'),
      request_id: value('requestId'),
      updated_ms: value('nowMs'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'route', 'key_digest'])
        .doUpdateSet((eb) => ({
          fingerprint: eb.ref('excluded.fingerprint'),
          request_id: eb.ref('excluded.request_id'),
          updated_ms: eb.ref('excluded.updated_ms'),
          reply: null,
          end_bytes: null,
        }))
        .where('idempotency.reply', 'is not', null)
        .where('idempotency.updated_ms', '<=', value('expiredMs')),
    ),
)

/** Stores a reply. `end_bytes` grows with each reply, so the oldest replies have the lowest values. */
export const keepReply = template<{
  requestId: string
  reply: string
  bytes: number
  nowMs: number
}>((value) =>
  queries
    .updateTable('idempotency')
    .set((eb) => ({
      reply: value('reply'),
      end_bytes: eb(endOfKept(), '+', value('bytes')),
      updated_ms: value('nowMs'),
    }))
    .where('request_id', '=', value('requestId')),
)

export const dropOldestReplies = template<{ bytesMax: number }>((value) =>
  queries
    .deleteFrom('idempotency')
    .where((eb) => eb('end_bytes', '<=', eb(endOfKept(), '-', value('bytesMax')))),
)

/** Releases a key, so the next request with it runs. */
export const releaseKey = template<{ requestId: string }>((value) =>
  queries.deleteFrom('idempotency').where('request_id', '=', value('requestId')),
)

/** Releases the keys of orphans; runs in the same unit as `finalizeOrphans`, before it. */
export const releaseOrphanKeys = template<{ requestIds: string }>((value) =>
  queries.deleteFrom('idempotency').where('request_id', 'in', (eb) =>
    eb
      .selectFrom('usage')
      .select('request_id')
      .where('state', '=', sql.lit('reserved'))
      .where(
        'request_id',
        'in',
        sql<string>`(select value from json_each(${value('requestIds')}))`,
      ),
  ),
)

export const deleteOldReplies = template<{ beforeMs: number }>((value) =>
  queries
    .deleteFrom('idempotency')
    .where('request_id', 'in', (eb) =>
      eb
        .selectFrom('idempotency')
        .select('request_id')
        .where('updated_ms', '<=', value('beforeMs'))
        .where('reply', 'is not', null)
        .orderBy('updated_ms')
        .limit(retentionBatchMax),
    ),
)

export function findKey({ accountId, route, keyDigest }: Key) {
  return queries
    .selectFrom('idempotency')
    .select(['fingerprint', 'reply', 'updated_ms'])
    .where('account_id', '=', accountId)
    .where('route', '=', route)
    .where('key_digest', '=', keyDigest)
}

function endOfKept() {
  return sql<number>`(select coalesce(max(end_bytes), 0) from idempotency)`
}
