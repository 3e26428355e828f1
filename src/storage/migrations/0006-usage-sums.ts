import { type RawBuilder, type SchemaModule, sql } from 'kysely'

const hourMs = 3_600_000
const dayMs = 86_400_000
/** Lower bounds of the buckets of latency; each bucket ends where the next begins. */
const beginsMs = [
  0, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724, 1024, 1448, 2048, 2896,
  4096, 5793, 8192, 11585, 16384, 23170, 32768, 46341, 65536, 92682, 131072, 185364, 262144, 370728,
  524288,
]
const latencies = beginsMs.map((_, bucket) => `latency_${bucket}`)
const counts = ['requests', 'errors', 'prompt_tokens', 'cached_tokens', 'completion_tokens']
const sums = [...counts, ...latencies]
const hourOf = sql`(created_ms - created_ms % ${sql.lit(hourMs)})`

type Run = (query: RawBuilder<unknown>) => Promise<unknown>

/** Replaces the sums by hour with sums by hour, day and month, and adds an index for every filter of receipts. */
export async function up(schema: SchemaModule, run: Run): Promise<void> {
  await createUsageSums(schema)
  await fillHours(run)
  await schema.dropTable('usage_hour').execute()
  await createReceiptIndexes(schema)
}

async function createUsageSums(schema: SchemaModule): Promise<void> {
  let table = schema
    .createTable('usage_sums')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('span', 'text', (column) =>
      column.notNull().check(sql`span in ('hour', 'day', 'month')`),
    )
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('begin_ms', 'bigint', (column) => column.notNull())
  for (const name of sums)
    table = table.addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
  await table
    .addPrimaryKeyConstraint('usage_sums_key', ['account_id', 'span', 'key_id', 'begin_ms'])
    // Without rowids, each request touches half as many pages.
    .modifyEnd(sql`without rowid`)
    .execute()
  // Each start reads the use of every key in this month and on this day.
  for (const span of ['day', 'month'])
    await schema
      .createIndex(`usage_sums_${span}`)
      .on('usage_sums')
      .column('begin_ms')
      .where(sql.ref('span'), '=', sql.lit(span))
      .execute()
}

/**
 * Fills the sums from `usage_hour`, where requests that were not billed count as errors. The latencies come from the
 * entries that still exist. So do the numbers of revoked requests, which also count as errors.
 */
async function fillHours(run: Run): Promise<void> {
  await run(sql`
    insert into usage_sums (account_id, span, key_id, begin_ms, ${list(counts)})
    select account_id, 'hour', key_id, hour_ms, sum(requests), sum(case billable when 0 then requests else 0 end),
      sum(prompt_tokens), sum(cached_tokens), sum(completion_tokens)
    from usage_hour group by account_id, key_id, hour_ms`)
  // Materialized, or SQLite would compute the bucket of each entry once for each column.
  await run(sql`
    with entries as materialized (
      select account_id, key_id, ${hourOf} as hour_ms, outcome = 'revoked' as revoked,
        case when outcome in ('completed', 'length') then ${bucketOf(0, beginsMs.length - 1)} else -1 end as bucket
      from usage where state = 'final'
    )
    insert into usage_sums (account_id, span, key_id, begin_ms, errors, ${list(latencies)})
    select account_id, 'hour', key_id, hour_ms, sum(revoked),
      ${sql.join(beginsMs.map((_, bucket) => sql`sum(bucket = ${sql.lit(bucket)})`))}
    from entries where true group by account_id, key_id, hour_ms
    on conflict do update set errors = errors + excluded.errors,
      ${sql.join(latencies.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))}`)
  await addUp(run, { span: 'hour', keyId: sql`''`, beginMs: sql`begin_ms` })
  await addUp(run, {
    span: 'day',
    keyId: sql`key_id`,
    beginMs: sql`begin_ms - begin_ms % ${sql.lit(dayMs)}`,
  })
  await addUp(run, {
    span: 'month',
    keyId: sql`key_id`,
    beginMs: sql`unixepoch(begin_ms / 1000, 'unixepoch', 'start of month') * 1000`,
  })
}

/** Returns an SQL expression for the bucket between `first` and `last`: a binary search. */
function bucketOf(first: number, last: number): RawBuilder<unknown> {
  if (first === last) return sql.lit(first)
  const middle = Math.ceil((first + last) / 2)
  const ms = sql`coalesce(queue_ms, 0) + coalesce(prefill_ms, 0) + coalesce(decode_ms, 0)`
  return sql`case when ${ms} < ${sql.lit(beginsMs[middle])} then ${bucketOf(first, middle - 1)} else ${bucketOf(middle, last)} end`
}

async function addUp(
  run: Run,
  to: { span: string; keyId: RawBuilder<unknown>; beginMs: RawBuilder<unknown> },
): Promise<void> {
  await run(sql`
    insert into usage_sums (account_id, span, key_id, begin_ms, ${list(sums)})
    select account_id, ${sql.lit(to.span)}, ${to.keyId}, ${to.beginMs},
      ${sql.join(sums.map((name) => sql`sum(${sql.ref(name)})`))}
    from usage_sums where span = 'hour' and key_id <> '' group by 1, 3, 4`)
}

async function createReceiptIndexes(schema: SchemaModule): Promise<void> {
  await schema.dropIndex('usage_account_created').execute()
  await schema
    .createIndex('usage_outcome')
    .on('usage')
    .columns(['account_id', 'outcome', 'created_ms'])
    .where(sql.ref('state'), '=', sql.lit('final'))
    .execute()
  await schema
    .createIndex('usage_key_outcome')
    .on('usage')
    .columns(['account_id', 'key_id', 'outcome', 'created_ms'])
    .where(sql.ref('state'), '=', sql.lit('final'))
    .execute()
}

function list(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)))
}
