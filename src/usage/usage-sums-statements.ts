import { sql } from 'kysely'
import { queries, type Statement, template } from '../storage/statement.ts'
import type { UsageSumsRow } from '../storage/tables.ts'
import { latencyBucketOf, latencyColumns } from './latency-histogram.ts'
import { startOfDay, startOfMonth } from './period-counter.ts'

const hourMs = 3_600_000
const dayMs = 86_400_000

/** What is summed of every request, beside its latency. */
export const summedColumns = [
  'requests',
  'errors',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
] as const

type Latency = (typeof latencyColumns)[number]

export type Counted = {
  accountId: string
  keyId: string
  createdMs: number
  errors: number
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  /** Undefined: it was not completed. */
  latencyMs: number | undefined
}

/** To be run in the same unit as `finalize`, and only if that changed the row. */
export function addToSums({ createdMs, latencyMs, ...request }: Counted): Statement {
  const add = latencyMs === undefined ? undefined : addWith[latencyBucketOf(latencyMs)]
  return (add ?? addWithout)({
    ...request,
    hour: createdMs - (createdMs % hourMs),
    day: startOfDay(createdMs),
    month: startOfMonth(createdMs),
  })
}

// One column of latencies at a time, as each costs time for every request.
const addWith = latencyColumns.map(addOne)
const addWithout = addOne(undefined)

function addOne(latency: Latency | undefined) {
  type Values = Omit<Counted, 'createdMs' | 'latencyMs'> & Record<UsageSumsRow['span'], number>
  return template<Values>((value) => {
    const rowOf = (span: UsageSumsRow['span'], keyId: string) => ({
      account_id: value('accountId'),
      span: sql.lit(span),
      key_id: keyId,
      begin_ms: value(span),
      requests: 1,
      errors: value('errors'),
      prompt_tokens: value('promptTokens'),
      cached_tokens: value('cachedTokens'),
      completion_tokens: value('completionTokens'),
      ...(latency === undefined ? {} : { [latency]: 1 }),
    })
    const keyId = value('keyId')
    return addUp(latency).values([
      rowOf('hour', keyId),
      rowOf('hour', ''),
      rowOf('day', keyId),
      rowOf('month', keyId),
    ])
  })
}

/** To be run in the same unit as `finalizeOrphans`, and before it. */
export const addOrphansToSums = template<{ bootId: string }>((value) => {
  const orphans = (span: UsageSumsRow['span'], keyId: string, beginMs: string) =>
    queries
      .selectFrom('usage')
      .select((eb) => [
        'account_id',
        sql.lit(span).as('span'),
        sql.raw<string>(keyId).as('key_id'),
        sql.raw<number>(beginMs).as('begin_ms'),
        eb.lit(1).as('requests'),
        eb.lit(1).as('errors'),
        'prompt_tokens',
        eb.fn.coalesce('cached_tokens', eb.lit(0)).as('cached_tokens'),
        eb.fn.coalesce('completion_tokens', eb.lit(0)).as('completion_tokens'),
      ])
      .where('state', '=', sql.lit('reserved'))
      .where('boot_id', '!=', value('bootId'))
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
    .columns(['account_id', 'span', 'key_id', 'begin_ms', ...added])
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'span', 'key_id', 'begin_ms'])
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
