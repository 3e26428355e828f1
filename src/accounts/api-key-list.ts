import { sql } from 'kysely'
import type { Database } from '../storage/database.ts'
import { queries } from '../storage/statement.ts'
import { type ApiKeyRecord, toRecord } from './api-key-store.ts'

export type ApiKeyQuery = {
  /** Part of the name, or the whole id. */
  search?: string | undefined
  /** Any state if undefined. */
  state?: ApiKeyRecord['state'] | undefined
  sort: 'name' | 'created' | 'last_used'
  order: 'asc' | 'desc'
  offset: number
  limit: number
}

/**
 * Returns one page of an account's keys, and how many keys there are on all pages.
 * @throws ServiceError ledger_unavailable
 */
export async function searchApiKeys(
  database: Database,
  accountId: string,
  { sort, order, offset, limit, ...filter }: ApiKeyQuery,
  nowMs: number,
): Promise<{ records: ApiKeyRecord[]; total: number }> {
  const matching = selectMatching(accountId, filter, nowMs)
  const by = {
    name: sql`lower(name)`,
    created: sql`created_ms`,
    last_used: sql`last_used_ms`,
  }
  const page = matching.selectAll().orderBy(by[sort], order).orderBy('id', order)
  const [rows, [count]] = await Promise.all([
    database.readAside(page.limit(limit).offset(offset)),
    database.readAside(matching.select(({ fn }) => fn.countAll<number>().as('total'))),
  ])
  return { records: rows.map((row) => toRecord(row, nowMs)), total: count?.total ?? 0 }
}

/**
 * Returns undefined if the account has no such key.
 * @throws ServiceError ledger_unavailable
 */
export async function findApiKey(
  database: Database,
  accountId: string,
  id: string,
  nowMs: number,
): Promise<ApiKeyRecord | undefined> {
  const [row] = await database.read(
    queries
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', accountId),
  )
  return row && toRecord(row, nowMs)
}

/** Returns the names of those of the ids that are keys of the account. */
export async function findApiKeyNames(
  database: Database,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await database.readAside(
    queries
      .selectFrom('api_keys')
      .select(['id', 'name'])
      .where('account_id', '=', accountId)
      .where('id', 'in', ids),
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function selectMatching(
  accountId: string,
  { search, state }: Pick<ApiKeyQuery, 'search' | 'state'>,
  nowMs: number,
) {
  const all = queries.selectFrom('api_keys').where('account_id', '=', accountId)
  const like = `%${(search ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const named =
    search === undefined || search === ''
      ? all
      : all.where((eb) =>
          eb.or([eb('id', '=', search), sql<boolean>`lower(name) like lower(${like}) escape '\\'`]),
        )
  switch (state) {
    case undefined:
      return named
    case 'revoked':
      return named.where('revoked_ms', 'is not', null)
    case 'expired':
      return named.where('revoked_ms', 'is', null).where('expires_ms', '<=', nowMs)
    case 'active':
      return named
        .where('revoked_ms', 'is', null)
        .where((eb) => eb.or([eb('expires_ms', 'is', null), eb('expires_ms', '>', nowMs)]))
  }
}
