import { sql } from 'kysely'
import { retentionBatchMax } from '../../limits.ts'
import type { Addition } from '../../storage/additions.ts'
import { queries, template, toStatement } from '../../storage/statement.ts'
import { latencyBucketOf } from '../latency-histogram.ts'
import { startOfHour } from '../utc-periods.ts'

type Timed = { accountId: string; keyId: string; createdMs: number }
type Times = {
  queueMs?: number | undefined
  prefillMs?: number | undefined
  /** Set if the request got a first token. */
  decodeMs?: number | undefined
}

/** Counts a request in the histograms of its key and of its account. A request without a first token adds nothing. */
export function addToTimes({ accountId, keyId, createdMs }: Timed, times: Times): Addition[] {
  const { queueMs = 0, prefillMs = 0, decodeMs } = times
  if (decodeMs === undefined) return []
  const beginMs = startOfHour(createdMs)
  const keysOf = (bucket: number) => [
    [accountId, keyId, beginMs, bucket],
    [accountId, '', beginMs, bucket],
  ]
  return [
    { sql: addOne, keys: keysOf(latencyBucketOf(queueMs)), amounts: [1, 0] },
    { sql: addOne, keys: keysOf(latencyBucketOf(queueMs + prefillMs)), amounts: [0, 1] },
  ]
}

/** Deletes the oldest rows of hours before `beforeMs`, at most `retentionBatchMax` rows. */
export const deleteOldTimes = template<{ beforeMs: number }>((value) =>
  queries
    .deleteFrom('usage_times')
    .where((eb) =>
      eb(
        eb.refTuple('account_id', 'key_id', 'begin_ms', 'bucket'),
        'in',
        eb
          .selectFrom('usage_times')
          .select(['account_id', 'key_id', 'begin_ms', 'bucket'])
          .where('begin_ms', '<', value('beforeMs'))
          .orderBy('begin_ms')
          .limit(retentionBatchMax)
          .$asTuple('account_id', 'key_id', 'begin_ms', 'bucket'),
      ),
    ),
)

const addOne = toStatement(
  queries
    .insertInto('usage_times')
    .values({ account_id: '', key_id: '', begin_ms: 0, bucket: 0, queued: 0, first_tokens: 0 })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'key_id', 'begin_ms', 'bucket']).doUpdateSet({
        queued: sql<number>`usage_times.queued + excluded.queued`,
        first_tokens: sql<number>`usage_times.first_tokens + excluded.first_tokens`,
      }),
    ),
).sql
