import { randomBytes } from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import { ServiceError } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import { queries, type Statement, toStatement } from '../storage/statement.ts'
import type { AccountRow } from '../storage/tables.ts'
import { type LimitChanges, type Limits, toLimitColumns, toLimits } from './allowance.ts'
import { parseName } from './name.ts'

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

/** What is absent stays as it is. */
export type AccountChanges = {
  name?: string
  /** Of all keys of the account together; in force within a second, for what begins then. */
  limits?: LimitChanges
  /** Sessions end and keys are refused within a second, what runs included. */
  disabled?: boolean
  /** Of the user whose account it is. */
  role?: 'admin' | 'member'
}

/** @throws ServiceError invalid_value, not_found, ledger_unavailable */
export async function editAccount(
  database: Database,
  id: string,
  changes: AccountChanges,
  nowMs: number,
): Promise<void> {
  const { name, limits = {}, disabled, role } = changes
  const columns = {
    ...(name === undefined ? {} : { name: parseName(name) }),
    ...toLimitColumns(limits),
    ...(disabled === undefined ? {} : { disabled_ms: disabled ? nowMs : null }),
  }
  if (Object.keys(columns).length === 0 && role === undefined)
    throw new ServiceError('invalid_value', 'Nothing is to be changed: say what.')
  if ((await findAccount(database, id)) === undefined) throw noSuchAccount()
  if (disabled === true || role === 'member') await assertNotLastAdmin(database, id)
  await database.write({
    steps: [
      ...(Object.keys(columns).length === 0 ? [] : [update(id, columns)]),
      ...(role === undefined ? [] : [setRole(id, role)]),
      ...(disabled === true ? [endSessions(id)] : []),
    ],
  })
}

export function noSuchAccount(): ServiceError {
  return new ServiceError('not_found', 'There is no such account.', { param: 'id' })
}

/** Somebody must be left who can mend what goes wrong. */
async function assertNotLastAdmin(database: Database, id: string): Promise<void> {
  const admins = await database.read(
    queries
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select('accounts.id')
      .where('users.role', '=', 'admin')
      .where('accounts.disabled_ms', 'is', null),
  )
  if (admins.length === 1 && admins[0]?.id === id)
    throw new ServiceError(
      'invalid_value',
      'This is the last administrator: make another user one first.',
      { param: 'id' },
    )
}

function update(id: string, columns: Updateable<AccountRow>): Statement {
  return toStatement(queries.updateTable('accounts').set(columns).where('id', '=', id))
}

function setRole(accountId: string, role: 'admin' | 'member'): Statement {
  return toStatement(queries.updateTable('users').set({ role }).where('account_id', '=', accountId))
}

function endSessions(accountId: string): Statement {
  const users = queries.selectFrom('users').select('id').where('account_id', '=', accountId)
  return toStatement(queries.deleteFrom('sessions').where('user_id', 'in', users))
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
