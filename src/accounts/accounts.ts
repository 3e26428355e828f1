import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { ServiceError } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import { queries, toStatement } from '../storage/statement.ts'
import type { AccountRow } from '../storage/tables.ts'
import { type LimitChanges, type Limits, toLimitColumns, toLimits } from './allowance.ts'

export type Account = { id: string; name: string; limits: Limits; createdMs: number }

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

/** Oldest first. */
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

/**
 * Of all keys of the account together; in force within a second, for what begins then.
 * @throws ServiceError invalid_value (a limit, or no such account), ledger_unavailable
 */
export async function editAccount(
  database: Database,
  id: string,
  limits: LimitChanges,
): Promise<void> {
  const columns = toLimitColumns(limits)
  if (Object.keys(columns).length === 0)
    throw new ServiceError('invalid_value', 'Nothing is to be changed: say what, see --help.')
  const edit = queries.updateTable('accounts').set(columns).where('id', '=', id)
  const found = await database.write({ steps: [toStatement(edit)] })
  if (found === 0)
    throw new ServiceError('invalid_value', `There is no account ${JSON.stringify(id)}.`, {
      param: 'id',
    })
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
