import { sql } from 'kysely'
import { toLimits } from '../accounts/allowance.ts'
import type { Limits } from '../key-limits.ts'
import type { Database } from '../storage/database.ts'
import { queries } from '../storage/statement.ts'
import type { Role } from './users.ts'

/** An account with its user, as administrators see it. */
export type ListedAccount = {
  id: string
  name: string
  /** Null, like the role, for an account without a user, which has API keys only. */
  email: string | null
  role: Role | null
  disabled: boolean
  createdMs: number
  lastSeenMs: number | undefined
  keys: number
  /** Use since the beginning of the UTC month. */
  use: { requests: number; promptTokens: number; completionTokens: number }
  limits: Limits
}

export type AccountQuery = {
  /** Part of the name or of the e-mail address, or the whole id. */
  search?: string
  /** Id of the last account on the page before. */
  after?: string
  limit: number
}

/** Returns accounts, oldest first, or undefined if there is no account `after`. */
export async function listAccountsWithUse(
  database: Database,
  { search, after, limit }: AccountQuery,
  nowMs: number,
): Promise<ListedAccount[] | undefined> {
  let query = selectListed(nowMs).limit(limit)
  if (search !== undefined && search !== '') {
    const like = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    query = query.where((eb) =>
      eb.or([
        eb('accounts.id', '=', search),
        sql<boolean>`lower(${eb.ref('accounts.name')}) like lower(${like}) escape '\\'`,
        sql<boolean>`lower(${eb.ref('users.email')}) like lower(${like}) escape '\\'`,
      ]),
    )
  }
  if (after !== undefined) {
    const [before] = await database.read(
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
  return (await database.read(query)).map(toListed)
}

export async function findListedAccount(
  database: Database,
  id: string,
  nowMs: number,
): Promise<ListedAccount | undefined> {
  const [row] = await database.read(selectListed(nowMs).where('accounts.id', '=', id))
  return row && toListed(row)
}

function selectListed(nowMs: number) {
  const now = new Date(nowMs)
  const monthMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  const use = queries
    .selectFrom('usage_sums')
    .select(({ fn }) => [
      'account_id',
      fn.sum<number>('requests').as('requests'),
      fn.sum<number>('prompt_tokens').as('prompt_tokens'),
      fn.sum<number>('completion_tokens').as('completion_tokens'),
    ])
    // A literal, so that SQLite sees that the partial index of the months applies.
    .where('span', '=', sql.lit('month'))
    .where('begin_ms', '=', monthMs)
    .groupBy('account_id')
    .as('month')
  return queries
    .selectFrom('accounts')
    .leftJoin('users', 'users.account_id', 'accounts.id')
    .leftJoin(use, 'month.account_id', 'accounts.id')
    .selectAll('accounts')
    .select((eb) => [
      'users.email',
      'users.role',
      'month.requests',
      'month.prompt_tokens',
      'month.completion_tokens',
      eb
        .selectFrom('api_keys')
        .whereRef('api_keys.account_id', '=', 'accounts.id')
        .where('revoked_ms', 'is', null)
        .select(({ fn }) => fn.countAll<number>().as('keys'))
        .as('keys'),
      eb
        .selectFrom('api_keys')
        .whereRef('api_keys.account_id', '=', 'accounts.id')
        .select(({ fn }) => fn.max('last_used_ms').as('used_ms'))
        .as('used_ms'),
      eb
        .selectFrom('sessions')
        .whereRef('sessions.user_id', '=', 'users.id')
        .select(({ fn }) => fn.max('updated_at').as('signed_in_at'))
        .as('signed_in_at'),
    ])
    .orderBy('accounts.created_ms')
    .orderBy('accounts.id')
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
    use: {
      requests: row.requests ?? 0,
      promptTokens: row.prompt_tokens ?? 0,
      completionTokens: row.completion_tokens ?? 0,
    },
    limits: toLimits(row),
  }
}
