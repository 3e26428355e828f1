import { createApiKey } from '../../src/accounts/api-key-store.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { queries, toStatement } from '../../src/storage/statement.ts'

/** Adds an account and its key to a service's database directly. A running service accepts the key within a second. */
export async function addAccountWithKey(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string | undefined },
  name: string,
): Promise<{ accountId: string; id: string; key: string }> {
  const database = await openDatabase(dataDir, { url: databaseUrl })
  try {
    const accountId = await addAccount(database, name)
    return { accountId, ...(await createApiKey(database, { accountId, name }, Date.now())) }
  } finally {
    await database.close()
  }
}

/** Adds an account without a key, and returns its id. */
export async function addAccount(database: Database, name: string): Promise<string> {
  const account = { id: `acct_${name}`, name, created_ms: Date.now() }
  await database.write([toStatement(queries.insertInto('accounts').values(account))])
  return account.id
}
