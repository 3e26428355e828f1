import { expect, test } from 'vitest'
import { ensureDefaultAccount } from '../../src/accounts/accounts.ts'
import { createApiKey, listApiKeys, rotateApiKey } from '../../src/accounts/api-key-store.ts'
import { onPostgres, useDatabases } from '../support/databases.ts'
import { createOldDatabase } from '../support/old-database.ts'

const databases = useDatabases()
const nowMs = Date.UTC(2026, 0, 2, 12)

test('a key is listed with its last four characters, and after a rotation with the new ones (T44)', async () => {
  const database = await databases.open()
  const accountId = (await ensureDefaultAccount(database)).id
  const { id, key } = await createApiKey(database, { accountId, name: 'laptop' }, nowMs)
  const hint = async () => (await listApiKeys(database, nowMs))[0]?.hint
  expect(await hint()).toBe(`sk-pipit-…${key.slice(-4)}`)
  const rotated = await rotateApiKey(database, id, 60_000, nowMs)
  expect(await hint()).toBe(`sk-pipit-…${rotated.key.slice(-4)}`)
})

test('a key from before the upgrade has no hint', async ({ skip }) => {
  skip(...onPostgres)
  const old = await createOldDatabase(databases.dataDir, 6)
  old.exec(`insert into accounts (id, name, created_ms) values ('acct_1', 'default', 1);
    insert into api_keys (id, account_id, name, digest, created_ms) values ('key_1', 'acct_1', 'old', 'd', 1)`)
  old.close()
  expect(await listApiKeys(await databases.open(), nowMs)).toMatchObject([
    { id: 'key_1', hint: undefined },
  ])
})
