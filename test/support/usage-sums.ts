import { sql } from 'kysely'
import type { Database } from '../../src/storage/database.ts'
import { queries } from '../../src/storage/statement.ts'
import type { UsageRow, UsageSumsRow } from '../../src/storage/tables.ts'

const errors = [
  'refused',
  'revoked',
  'engine_crash',
  'deadline',
  'shutdown',
  'internal_error',
  'server_crash',
]

type Sums = Record<string, number>

/** Returns the sums of requests and tokens over all settled entries of an account. */
export async function totals(database: Database, accountId: string) {
  const months = await database.read(
    queries
      .selectFrom('usage_sums')
      .select(({ fn }) => [
        fn.coalesce(fn.sum<number>('requests'), sql.lit(0)).as('requests'),
        fn.coalesce(fn.sum<number>('prompt_tokens'), sql.lit(0)).as('promptTokens'),
        fn.coalesce(fn.sum<number>('cached_tokens'), sql.lit(0)).as('cachedTokens'),
        fn.coalesce(fn.sum<number>('completion_tokens'), sql.lit(0)).as('completionTokens'),
      ])
      .where('account_id', '=', accountId)
      .where('span', '=', 'month'),
  )
  return months[0]
}

/** Returns all sums of an account except zeros, keyed by span, API key and start time. */
export async function allSums(
  database: Database,
  accountId: string,
): Promise<Record<string, Sums>> {
  const rows = await database.read(
    queries.selectFrom('usage_sums').selectAll().where('account_id', '=', accountId),
  )
  return sumsByPlace(rows)
}

/** Returns the sums of these rows except zeros, keyed by span, API key and start time. */
export function sumsByPlace(rows: readonly UsageSumsRow[]): Record<string, Sums> {
  return Object.fromEntries(
    rows.map(({ account_id: _account, span, key_id, begin_ms, ...sums }) => [
      `${span} ${key_id} ${begin_ms}`,
      Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0)),
    ]),
  )
}

/** Computes from ledger entries the sums that `allSums` returns. */
export function sumsOf(rows: readonly UsageRow[]): Record<string, Sums> {
  const all: Record<string, Sums> = {}
  for (const row of rows.filter(({ state }) => state === 'final')) {
    const at = new Date(row.created_ms)
    const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
    const hourMs = Date.UTC(year, month, day, at.getUTCHours())
    for (const place of [
      `hour ${row.key_id} ${hourMs}`,
      `hour  ${hourMs}`,
      `day ${row.key_id} ${Date.UTC(year, month, day)}`,
      `month ${row.key_id} ${Date.UTC(year, month)}`,
    ])
      add((all[place] ??= {}), row)
  }
  return all
}

function add(sums: Sums, row: UsageRow): void {
  const raise = (name: string, by: number) => {
    if (by !== 0) sums[name] = (sums[name] ?? 0) + by
  }
  raise('requests', 1)
  raise('errors', errors.includes(row.outcome ?? '') ? 1 : 0)
  raise('prompt_tokens', row.prompt_tokens)
  raise('cached_tokens', row.cached_tokens ?? 0)
  raise('completion_tokens', row.completion_tokens ?? 0)
  if (row.outcome !== 'completed' && row.outcome !== 'length') return
  const ms = (row.queue_ms ?? 0) + (row.prefill_ms ?? 0) + (row.decode_ms ?? 0)
  raise(`latency_${bucketOf(ms)}`, 1)
}

/** Returns the index of a time's bucket. The bounds of the buckets begin at 4 ms and grow by a factor of √2. */
function bucketOf(ms: number): number {
  let bucket = 0
  while (bucket < 35 && Math.round(4 * 2 ** (bucket / 2)) <= ms) bucket += 1
  return bucket
}
