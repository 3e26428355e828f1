import type { ExpressionBuilder } from 'kysely'
import { toLimits } from '../accounts/allowance.ts'
import type { Limits } from '../key-limits.ts'
import type { Database } from '../storage/database.ts'
import { containsText, queries } from '../storage/statement.ts'
import type { Tables } from '../storage/tables.ts'
import type { Role } from './users.ts'

/** An account with its user, as administrators see it. */
export type ListedAccount = {
  id: string
  name: string
  /** Null for an account without a user, which only has API keys. `role` is then null, too. */
  email: string | null
  role: Role | null
  disabled: boolean
  createdMs: number
  lastSeenMs: number | undefined
  keys: number
  limits: Limits
}

export type AccountQuery = {
  /** Part of the name or of the e-mail address, or the whole id. */
  search?: string
  /** Id of the last account on the previous page. */
  after?: string
  limit: number
}

/** Returns accounts, oldest first, or undefined if no account has the id `after`. */
export async function listAccountsWithUsers(
  database: Database,
  { search, after, limit }: AccountQuery,
): Promise<ListedAccount[] | undefined> {
  let query = selectListed().limit(limit)
  if (search !== undefined && search !== '') {
    query = query.where((eb) =>
      eb.or([
        eb('accounts.id', '=', search),
        containsText(eb.ref('accounts.name'), search),
        containsText(eb.ref('users.email'), search),
      ]),
    )
  }
  if (after !== undefined) {
    const [before] = await database.readAside(
      queries.selectFrom('accounts').select(['id', 'created_ms']).where('id', '=', after),
    )
    if (before === undefined) return undefined
    query = query.where((eb) =>
      eb(
        eb.refTuple('accounts.created_ms', 'accounts.id'),
        '>',
        eb.tuple(before.created_ms, before.id),
      ),
    )
  }
  return (await database.readAside(query)).map(toListed)
}

export async function findListedAccount(
  database: Database,
  id: string,
): Promise<ListedAccount | undefined> {
  const [row] = await database.readAside(selectListed().where('accounts.id', '=', id))
  return row && toListed(row)
}

function selectListed() {
  return (
    queries
      .selectFrom('accounts')
      .leftJoin('users', 'users.account_id', 'accounts.id')
      // A subquery for each account would read all keys each time, because no index starts with the account.
      .leftJoin(keysOfAccounts, 'of_account.account_id', 'accounts.id')
      .selectAll('accounts')
      .select((eb) => [
        'users.email',
        'users.role',
        'of_account.keys',
        'of_account.used_ms',
        eb
          .selectFrom('sessions')
          .whereRef('sessions.user_id', '=', 'users.id')
          .select(({ fn }) => fn.max('updated_at').as('signed_in_at'))
          .as('signed_in_at'),
      ])
      .orderBy('accounts.created_ms')
      .orderBy('accounts.id')
  )
}

function keysOfAccounts(eb: ExpressionBuilder<Tables, 'accounts' | 'users'>) {
  return eb
    .selectFrom('api_keys')
    .groupBy('account_id')
    .select(({ fn }) => [
      'account_id',
      fn.countAll<number>().filterWhere('revoked_ms', 'is', null).as('keys'),
      fn.max('last_used_ms').as('used_ms'),
    ])
    .as('of_account')
}

type Row = Awaited<ReturnType<ReturnType<typeof selectListed>['execute']>>[number]

function toListed(row: Row): ListedAccount {
  const seenMs = Math.max(row.used_ms ?? 0, Date.parse(row.signed_in_at ?? '') || 0)
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    disabled: row.disabled_ms !== null,
    createdMs: row.created_ms,
    lastSeenMs: seenMs === 0 ? undefined : seenMs,
    keys: row.keys ?? 0,
    limits: toLimits(row),
  }
}
