import pg from 'pg'
import { expect, test } from 'vitest'
import { type AccountChanges, editAccount } from '../../../src/people/edit-account.ts'
import { createUser } from '../../../src/people/users.ts'
import type { Database } from '../../../src/storage/database.ts'
import { useDatabases } from '../../support/databases.ts'
import { statementsWaiting } from '../../support/postgres/statements-waiting.ts'

const nowMs = Date.UTC(2026, 0, 2, 12)
const databases = useDatabases()

const createAdmin = (database: Database, name: string) =>
  createUser(
    database,
    { email: `${name}@example.com`, name, role: 'admin', passwordHash: undefined },
    nowMs,
  )

test.each<[string, AccountChanges, AccountChanges]>([
  ['disable', { disabled: true }, { disabled: true }],
  ['demote', { role: 'member' }, { role: 'member' }],
  ['disable and demote', { disabled: true }, { role: 'member' }],
])('two services that %s the last two admins at the same moment leave one', async (_, a, b) => {
  const [first, second] = await Promise.all([databases.open(), databases.open()])
  const ada = await createAdmin(first, 'ada')
  const bob = await createAdmin(first, 'bob')
  const client = new pg.Client(databases.environment.PIPIT_DATABASE_URL)
  await client.connect()
  try {
    // Both changes have begun and wait for this lock before either of them ends.
    await client.query('begin; select 1 from accounts for update')
    const edits = Promise.allSettled([
      editAccount(first, ada.accountId, a, nowMs),
      editAccount(second, bob.accountId, b, nowMs),
    ])
    await expect.poll(() => statementsWaiting(client)).toBe(2)
    await client.query('commit')
    const [kept, refused] = (await edits).toSorted((x, y) => (x.status < y.status ? -1 : 1))
    expect(kept?.status).toBe('fulfilled')
    expect(refused).toMatchObject({ reason: { code: 'invalid_value', param: 'id' } })
    const { rows } = await client.query(
      `select 1 from users join accounts on accounts.id = users.account_id
        where role = 'admin' and disabled_ms is null`,
    )
    expect(rows).toHaveLength(1)
  } finally {
    await client.end()
  }
})
