import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Limits } from '../key-limits.ts'
import type { Database } from '../storage/database.ts'
import { queries, type Statement, toStatement } from '../storage/statement.ts'
import type { AccountRow } from '../storage/tables.ts'
import { toLimits } from './allowance.ts'

export type Account = { id: string; name: string; limits: Limits; createdMs: number }

/** The name of the first account until it has a user. */
export const defaultAccountName = 'default'

/** The ID of the first account of a new database. Earlier versions drew it at random. */
const firstAccountId = `acct_${'0'.repeat(24)}`

/** Returns the oldest account. A new database gets one named `default`. */
export async function ensureDefaultAccount(
  database: Database,
  now: () => number = Date.now,
): Promise<Account> {
  const found = await oldestAccount(database)
  if (found !== undefined) return found
  await database.write([toStatement(insertIfNone(now()))])
  const created = await oldestAccount(database)
  if (created === undefined) throw new Error('the default account was written but cannot be read')
  return created
}

/** Returns all accounts, oldest first. */
export async function listAccounts(database: Database): Promise<Account[]> {
  const rows = await database.read(
    queries.selectFrom('accounts').selectAll().orderBy('created_ms').orderBy('id'),
  )
  return rows.map(toAccount)
}

export async function findAccount(database: Database, id: string): Promise<Account | undefined> {
  const [row] = await database.read(queries.selectFrom('accounts').selectAll().where('id', '=', id))
  return row && toAccount(row)
}

export function newAccountId(): string {
  return `acct_${randomBytes(12).toString('hex')}`
}

export function insertAccount(id: string, name: string, nowMs: number): Statement {
  return toStatement(queries.insertInto('accounts').values({ id, name, created_ms: nowMs }))
}

function toAccount(row: AccountRow): Account {
  return { id: row.id, name: row.name, limits: toLimits(row), createdMs: row.created_ms }
}

async function oldestAccount(database: Database): Promise<Account | undefined> {
  const [row] = await database.read(
    queries.selectFrom('accounts').selectAll().orderBy('created_ms').orderBy('id').limit(1),
  )
  return row && toAccount(row)
}

/**
 * Inserts the first account, unless there is one. Its ID is fixed: of two services that start at the same time on an
 * empty PostgreSQL database, neither sees the row that the other is inserting, but only one can insert this ID.
 */
function insertIfNone(nowMs: number) {
  return queries
    .insertInto('accounts')
    .columns(['id', 'name', 'created_ms'])
    .expression(
      queries
        .selectNoFrom([
          sql<string>`${firstAccountId}`.as('id'),
          sql<string>`${defaultAccountName}`.as('name'),
          sql<number>`${nowMs}`.as('created_ms'),
        ])
        .where((eb) => eb.not(eb.exists(queries.selectFrom('accounts').select('id')))),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
}
