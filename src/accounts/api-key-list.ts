import { sql } from 'kysely'
import type { Database } from '../storage/database.ts'
import { containsText, queries } from '../storage/statement.ts'
import { type ApiKeyRecord, toRecord } from './api-key-store.ts'

type ApiKeyQuery = {
  /** Part of the name, or the whole id. */
  search?: string | undefined
  /** Any state if undefined. */
  state?: ApiKeyRecord['state'] | undefined
  sort: 'name' | 'created' | 'last_used'
  order: 'asc' | 'desc'
  offset: number
  limit: number
}

/** Reads API keys from the database, including revoked and expired ones. */
export class ApiKeyList {
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
  }

  /**
   * Returns one page of an account's keys, and the number of keys on all pages together.
   * @throws ServiceError ledger_unavailable
   */
  async search(
    accountId: string,
    { sort, order, offset, limit, ...filter }: ApiKeyQuery,
  ): Promise<{ records: ApiKeyRecord[]; total: number }> {
    const nowMs = this.#now()
    const matching = selectMatching(accountId, filter, nowMs)
    const by = {
      name: sql`lower(name)`,
      created: sql`created_ms`,
      // An unused key comes first. The databases place null at different ends.
      last_used: sql`coalesce(last_used_ms, -1)`,
    }
    const page = matching.selectAll().orderBy(by[sort], order).orderBy('id', order)
    const [rows, [count]] = await Promise.all([
      this.#database.readAside(page.limit(limit).offset(offset)),
      this.#database.readAside(matching.select(({ fn }) => fn.countAll<number>().as('total'))),
    ])
    return { records: rows.map((row) => toRecord(row, nowMs)), total: count?.total ?? 0 }
  }

  /**
   * Returns undefined if the account has no such key.
   * @throws ServiceError ledger_unavailable
   */
  async find(accountId: string, id: string): Promise<ApiKeyRecord | undefined> {
    const [row] = await this.#database.read(
      queries
        .selectFrom('api_keys')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId),
    )
    return row && toRecord(row, this.#now())
  }

  /**
   * Returns the names of the account's keys among `ids`, by id.
   * @throws ServiceError ledger_unavailable
   */
  async names(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#database.readAside(
      queries
        .selectFrom('api_keys')
        .select(['id', 'name'])
        .where('account_id', '=', accountId)
        .where('id', 'in', ids),
    )
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
}

function selectMatching(
  accountId: string,
  { search, state }: Pick<ApiKeyQuery, 'search' | 'state'>,
  nowMs: number,
) {
  const all = queries.selectFrom('api_keys').where('account_id', '=', accountId)
  const named =
    search === undefined || search === ''
      ? all
      : all.where((eb) => eb.or([eb('id', '=', search), containsText(eb.ref('name'), search)]))
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
