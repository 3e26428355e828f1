import type { SqlValue, Statement } from '../statement.ts'
import { type Unit, withTexts } from '../unit.ts'

/**
 * SQLite syntax in our queries, each with its PostgreSQL equivalent. Lists of values are passed as JSON text. SQLite has
 * one writer, so it needs no locks of rows.
 */
const rewrites: readonly (readonly [sqlite: RegExp, postgres: string])[] = [
  [/select value from json_each\(\?\)/g, 'select value from json_array_elements_text(?::json)'],
  [/json_each\(\?\)/g, 'json_array_elements(?::json)'],
  [/\/\* for update \*\//g, 'for update'],
  // In SQLite, `cross join` fixes the order of the tables; PostgreSQL chooses its own.
  [/cross join (\w+) on/g, 'join $1 on'],
  [
    /unixepoch\(created_ms \/ 1000, 'unixepoch', 'start of month'\)/g,
    "extract(epoch from date_trunc('month', to_timestamp(created_ms / 1000), 'UTC'))::bigint",
  ],
  [
    /\(page_count - freelist_count\) \* page_size\s+from pragma_page_count, pragma_freelist_count, pragma_page_size/g,
    'coalesce(sum(pg_total_relation_size(relid)), 0) from pg_stat_user_tables where schemaname = current_schema()',
  ],
]

const rewrittenMax = 1000
const rewritten = new Map<string, string>()

/** Rewrites a statement for PostgreSQL. Queries are built for SQLite, with `?` for each value. */
export function toPostgres({ sql, parameters }: Statement): Statement {
  return { sql: rewriteOnce(sql), parameters }
}

export function unitToPostgres(unit: Unit): Unit {
  return withTexts(unit, rewriteOnce)
}

/** Returns the values with U+FFFD in place of U+0000, which SQLite stores in a text and PostgreSQL refuses. */
export function toPostgresValues(parameters: readonly SqlValue[]): SqlValue[] {
  return parameters.map((value) =>
    typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value,
  )
}

function rewriteOnce(sql: string): string {
  const known = rewritten.get(sql)
  if (known !== undefined) return known
  if (rewritten.size >= rewrittenMax) rewritten.clear()
  const text = numberPlaceholders(
    rewrites.reduce((before, [from, to]) => before.replaceAll(from, to), sql),
  )
  rewritten.set(sql, text)
  return text
}

/** Numbers the placeholders outside of quotes. */
function numberPlaceholders(sql: string): string {
  let count = 0
  return sql.replaceAll(/'[^']*'|"[^"]*"|\?/g, (part) => (part === '?' ? `$${++count}` : part))
}
