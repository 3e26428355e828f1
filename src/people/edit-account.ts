import { sql, type Updateable } from 'kysely'
import { toLimitColumns } from '../accounts/allowance.ts'
import { parseName } from '../accounts/name.ts'
import { ServiceError } from '../errors.ts'
import type { LimitChanges } from '../key-limits.ts'
import { type Actor, differences, recordAudit, serviceActor } from '../storage/audit/audit-log.ts'
import type { Database } from '../storage/database.ts'
import { queries, type Statement, toStatement } from '../storage/statement.ts'
import type { AccountRow } from '../storage/tables.ts'
import type { Role } from './users.ts'

/** Changes of an account; absent members stay unchanged. */
export type AccountChanges = {
  name?: string
  /** Limits that all keys of the account share. They apply to new requests within a second. */
  limits?: LimitChanges
  /** Disabling ends sessions, refuses keys and cuts off running requests, all within a second. */
  disabled?: boolean
  /** Role of the user who owns the account. */
  role?: Role
}

/**
 * Changes an account. Disabling or demoting an admin also ends all pending invites and password reset links.
 * @throws ServiceError invalid_value, not_found, ledger_unavailable */
export async function editAccount(
  database: Database,
  id: string,
  changes: AccountChanges,
  nowMs: number,
  by: Actor = serviceActor,
): Promise<void> {
  const { name, limits = {}, disabled, role } = changes
  const columns = {
    ...(name === undefined ? {} : { name: parseName(name) }),
    ...toLimitColumns(limits),
    ...(disabled === undefined ? {} : { disabled_ms: disabled ? nowMs : null }),
  }
  if (Object.keys(columns).length === 0 && role === undefined)
    throw new ServiceError('invalid_value', 'There is nothing to change. Give at least one change.')
  const before = await findAccountFacts(database, id)
  if (before === undefined) throw noSuchAccount()
  if (role !== undefined && before.role === null)
    throw new ServiceError('invalid_value', 'This account has no user, so it has no role.', {
      param: 'role',
    })
  const endsAdmin = disabled === true || role === 'member'
  const changed = await database.writeGuarded({
    guard: update(id, columns, endsAdmin),
    steps: [
      ...(endsAdmin ? [dropLinksIfAdmin(id)] : []),
      ...(role === undefined ? [] : [setRole(id, role)]),
      ...(disabled === true ? [endSessions(id)] : []),
      ...recordAudit(
        {
          by,
          action: 'account.edit',
          accountId: id,
          target: { id, name: before.name },
          ...differences(before, { ...columns, ...(role === undefined ? {} : { role }) }),
        },
        nowMs,
      ),
    ],
    additions: [],
  })
  if (changed === 0)
    throw new ServiceError(
      'invalid_value',
      'This is the only admin. Make another user an admin first.',
      { param: 'id' },
    )
}

async function findAccountFacts(database: Database, id: string) {
  const [row] = await database.read(
    queries
      .selectFrom('accounts')
      .leftJoin('users', 'users.account_id', 'accounts.id')
      .selectAll('accounts')
      .select('users.role')
      .where('accounts.id', '=', id),
  )
  return row
}

export function noSuchAccount(): ServiceError {
  return new ServiceError('not_found', 'There is no such account.', { param: 'id' })
}

/**
 * With `endsAdmin`, changes nothing if the account is that of the only admin. Without columns, it sets only the id, which
 * stays the same: the statement is the guard of the other changes.
 */
function update(id: string, columns: Updateable<AccountRow>, endsAdmin: boolean): Statement {
  const change = queries
    .updateTable('accounts')
    .set({ id, ...columns })
    .where('id', '=', id)
  if (!endsAdmin) return toStatement(change)
  const admins = queries
    .selectFrom('users')
    .innerJoin('accounts as admins', 'admins.id', 'users.account_id')
    .select('admins.id')
    .where('users.role', '=', 'admin')
    .where('admins.disabled_ms', 'is', null)
    // Another service may end an admin at the same moment. On PostgreSQL, the lock makes one of them wait, or the
    // deadlock of two makes one try again; it then finds no other admin.
    .modifyEnd(sql`/* for update */`)
  return toStatement(
    change.where((eb) =>
      eb.or([
        eb.exists(admins.where('admins.id', '!=', id)),
        eb.not(eb.exists(admins.where('admins.id', '=', id))),
      ]),
    ),
  )
}

/**
 * Deletes all invites and password reset links if the account is an admin's, who may know them: with one, he could make
 * himself an admin or a user again. Links do not record their author. Runs before the role changes.
 */
function dropLinksIfAdmin(accountId: string): Statement {
  const admin = queries
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'admin')
  return toStatement(queries.deleteFrom('one_time_links').where((eb) => eb.exists(admin)))
}

function setRole(accountId: string, role: Role): Statement {
  return toStatement(queries.updateTable('users').set({ role }).where('account_id', '=', accountId))
}

function endSessions(accountId: string): Statement {
  const users = queries.selectFrom('users').select('id').where('account_id', '=', accountId)
  return toStatement(queries.deleteFrom('sessions').where('user_id', 'in', users))
}
