import { sql } from 'kysely'
import { queries } from '../../storage/statement.ts'

/** Selects the use of each key in the UTC months and days that begin within these spans. Only settled entries count. */
export function sumMonthsAndDays(months: Span, days: Span) {
  const sumsOf = (span: 'month' | 'day', { fromMs, toMs }: Span) =>
    queries
      .selectFrom('usage_sums')
      .select([
        'account_id',
        'key_id',
        sql.lit(span).as('window'),
        'begin_ms',
        'requests',
        sql<number>`prompt_tokens + completion_tokens`.as('tokens'),
      ])
      // A literal lets SQLite use the partial index of the span.
      .where('span', '=', sql.lit(span))
      .where('begin_ms', '>=', fromMs)
      .where('begin_ms', '<=', toMs)
  return sumsOf('month', months).unionAll(sumsOf('day', days))
}

/** Both ends are included. */
type Span = { fromMs: number; toMs: number }

/**
 * Selects the use of each key by requests that arrived after `sinceMs`. The recent rows are materialized first.
 * Otherwise SQLite would read the whole table in the order of the groups.
 */
export function sumRecent(sinceMs: number) {
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
          .where('created_ms', '>', sinceMs)
          // Refused requests took no tokens. Most have no entry, so none counts here. The outcome of a reserved one is null.
          .where((eb) => eb.or([eb('outcome', 'is', null), eb('outcome', '<>', 'refused')])),
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
