import { sql } from 'kysely'
import type { Addition } from '../storage/additions.ts'
import { queries, template, toStatement } from '../storage/statement.ts'
import type { UsageSumsRow } from '../storage/tables.ts'
import { latencyBucketOf, latencyColumns } from './latency-histogram.ts'
import { dayMs, hourMs } from '../time/durations.ts'
import { startOfDay, startOfHour, startOfMonth } from './utc-periods.ts'

/** Columns that every request adds to. A completed request also adds to one latency column. */
export const summedColumns = [
  'requests',
  'errors',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
] as const

const keyColumns = ['account_id', 'span', 'key_id', 'begin_ms'] as const

type Latency = (typeof latencyColumns)[number]

export type Counted = {
  accountId: string
  keyId: string
  createdMs: number
  requests: number
  errors: number
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  /** Time from arrival to the last token of one request; absent if it was not completed. */
  latencyMs?: number | undefined
}

/** Returns what settled requests add to the sums. For one request, it is written in the same unit as `finalize`. */
export function addToSums(counted: Counted): Addition {
  const { accountId, keyId, createdMs, latencyMs } = counted
  const hourBeginMs = startOfHour(createdMs)
  const keys = [
    [accountId, 'hour', keyId, hourBeginMs],
    [accountId, 'hour', '', hourBeginMs],
    [accountId, 'day', keyId, startOfDay(createdMs)],
    [accountId, 'month', keyId, startOfMonth(createdMs)],
  ]
  const { requests, errors, promptTokens, cachedTokens, completionTokens } = counted
  const amounts = [requests, errors, promptTokens, cachedTokens, completionTokens]
  if (latencyMs === undefined) return { sql: addWithout, keys, amounts }
  return { sql: addWith[latencyBucketOf(latencyMs)] ?? addWithout, keys, amounts: [...amounts, 1] }
}

// Each statement names only one latency column, because every further column costs time per request.
const addWith = latencyColumns.map(addOne)
const addWithout = addOne(undefined)

function addOne(latency: Latency | undefined): string {
  const row = {
    account_id: '',
    span: 'hour',
    key_id: '',
    begin_ms: 0,
    requests: 0,
    errors: 0,
    prompt_tokens: 0,
    cached_tokens: 0,
    completion_tokens: 0,
    ...(latency === undefined ? {} : { [latency]: 0 }),
  } as const
  return toStatement(addUp(latency).values(row)).sql
}

/** Adds the orphans to the sums; runs in the same unit as `finalizeOrphans`, before it. */
export const addOrphansToSums = template<{ requestIds: string }>((value) => {
  const orphans = (span: UsageSumsRow['span'], keyId: string, beginMs: string) =>
    queries
      .selectFrom('usage')
      .select((eb) => [
        'account_id',
        sql.lit(span).as('span'),
        sql.raw<string>(keyId).as('key_id'),
        sql.raw<number>(beginMs).as('begin_ms'),
        eb.fn.countAll<number>().as('requests'),
        eb.fn.countAll<number>().as('errors'),
        eb.fn.sum<number>('prompt_tokens').as('prompt_tokens'),
        eb.fn.coalesce(eb.fn.sum<number>('cached_tokens'), eb.lit(0)).as('cached_tokens'),
        eb.fn.coalesce(eb.fn.sum<number>('completion_tokens'), eb.lit(0)).as('completion_tokens'),
      ])
      .where('state', '=', sql.lit('reserved'))
      .where('request_id', 'in', sql<string>`(select value from json_each(${value('requestIds')}))`)
      // Groups by columns 3 and 4 (key and start), because a statement may add to a row only once.
      .groupBy(['account_id', sql.raw('3'), sql.raw('4')])
  const hour = `created_ms - created_ms % ${hourMs}`
  const month = "unixepoch(created_ms / 1000, 'unixepoch', 'start of month') * 1000"
  return addUp(undefined).expression(
    orphans('hour', 'key_id', hour)
      .unionAll(orphans('hour', "''", hour))
      .unionAll(orphans('day', 'key_id', `created_ms - created_ms % ${dayMs}`))
      .unionAll(orphans('month', 'key_id', month)),
  )
})

function addUp(latency: Latency | undefined) {
  const added = [...summedColumns, ...(latency === undefined ? [] : [latency])]
  return queries
    .insertInto('usage_sums')
    .columns([...keyColumns, ...added])
    .onConflict((conflict) =>
      conflict
        .columns(keyColumns)
        .doUpdateSet(
          Object.fromEntries(
            added.map((name) => [
              name,
              sql<number>`${sql.ref(`usage_sums.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
            ]),
          ),
        ),
    )
}
