import { sql } from 'kysely'
import type { Database } from './database.ts'
import { queries, toStatement } from './statement.ts'

const name = 'change'

/**
 * Writes a mark after the changes that this process has committed, and returns it. A service that reads this mark or a
 * higher one also sees those changes. Marks always increase, even if the clock is set back.
 * @throws ServiceError ledger_unavailable
 */
export async function markChanges(database: Database, nowMs: number): Promise<number> {
  const upsert = queries
    .insertInto('service_times')
    .values({ name, at_ms: nowMs })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        at_ms: sql`case when service_times.at_ms < excluded.at_ms then excluded.at_ms else service_times.at_ms + 1 end`,
      }),
    )
    .returning('at_ms')
  const [row] = await database.writeReturning(toStatement(upsert))
  return Number(row?.['at_ms'])
}

/**
 * Returns the latest mark, 0 if there is none.
 * @throws ServiceError ledger_unavailable
 */
export async function readChangeMark(database: Database): Promise<number> {
  const [row] = await database.read(
    queries.selectFrom('service_times').select('at_ms').where('name', '=', name),
  )
  return row?.at_ms ?? 0
}
