import type { Database } from '../storage/database.ts'
import { ensureDefaultAccount } from './accounts.ts'
import { listApiKeys } from './api-key-store.ts'
import type { ApiKeys } from './api-keys.ts'

/** Creates an API key if the database has never had one, and returns it. Otherwise returns undefined. */
export async function createFirstKey(
  database: Database,
  apiKeys: ApiKeys,
): Promise<string | undefined> {
  if ((await listApiKeys(database, Date.now())).length > 0) return undefined
  const account = await ensureDefaultAccount(database)
  const { key } = await apiKeys.create({ accountId: account.id, name: 'first key' })
  return key
}
