import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../storage/database.ts'
import { queries, toStatement } from '../storage/statement.ts'

export type Account = { id: string; name: string; createdMs: number }

/** The oldest account; a new database gets one named `default`. */
export async function ensureDefaultAccount(
  database: Database,
  now: () => number = Date.now,
): Promise<Account> {
  const found = await oldestAccount(database)
  if (found !== undefined) return found
  await database.write({ steps: [toStatement(insertIfNone(now()))] })
  const created = await oldestAccount(database)
  if (created === undefined) throw new Error('an account was written and is not there')
  return created
}

async function oldestAccount(database: Database): Promise<Account | undefined> {
  const [row] = await database.read(
    queries.selectFrom('accounts').selectAll().orderBy('created_ms').orderBy('id').limit(1),
  )
  return row && { id: row.id, name: row.name, createdMs: row.created_ms }
}

/** Two first starts at the same time leave one account. */
function insertIfNone(nowMs: number) {
  const id = `acct_${randomBytes(12).toString('hex')}`
  return queries
    .insertInto('accounts')
    .columns(['id', 'name', 'created_ms'])
    .expression(
      queries
        .selectNoFrom([
          sql<string>`${id}`.as('id'),
          sql<string>`${'default'}`.as('name'),
          sql<number>`${nowMs}`.as('created_ms'),
        ])
        .where((eb) => eb.not(eb.exists(queries.selectFrom('accounts').select('id')))),
    )
}
