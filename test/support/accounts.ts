import { createApiKey } from '../../src/accounts/api-key-store.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { queries, toStatement } from '../../src/storage/statement.ts'

/** Adds an account from outside the service, which knows the new key within a second. */
export async function addAccountWithKey(
  dataDir: string,
  name: string,
): Promise<{ accountId: string; id: string; key: string }> {
  const database = await openDatabase(dataDir)
  try {
    const account = { id: `acct_${name}`, name, created_ms: Date.now() }
    await database.write([toStatement(queries.insertInto('accounts').values(account))])
    const wanted = { accountId: account.id, name }
    return { accountId: account.id, ...(await createApiKey(database, wanted, Date.now())) }
  } finally {
    await database.close()
  }
}
