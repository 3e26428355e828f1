import type { Database } from '../storage/database.ts'
import { queries } from '../storage/statement.ts'
import { ensureDefaultAccount } from './accounts.ts'
import type { ApiKeys } from './api-keys.ts'

/** Creates an API key if the database has never had one, and returns it. Otherwise returns undefined. */
export async function createFirstKey(
  database: Database,
  apiKeys: ApiKeys,
): Promise<string | undefined> {
  if (await hasApiKey(database)) return undefined
  const account = await ensureDefaultAccount(database)
  const { key } = await apiKeys.create({ accountId: account.id, name: 'first key' })
  return key
}

/** Returns true if the database has a key, also if that was revoked, disabled or has expired. */
export async function hasApiKey(database: Database): Promise<boolean> {
  return (await database.read(queries.selectFrom('api_keys').select('id').limit(1))).length > 0
}
