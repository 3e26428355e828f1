import { beforeEach, expect, test } from 'vitest'
import { ensureDefaultAccount, insertAccount } from '../../src/accounts/accounts.ts'
import { ApiKeyList } from '../../src/accounts/api-key-list.ts'
import { createApiKey } from '../../src/accounts/api-key-store.ts'
import { editAccount } from '../../src/people/edit-account.ts'
import { newLink } from '../../src/people/one-time-links.ts'
import { createResetLink } from '../../src/people/panel-accounts.ts'
import { createUser, findUser, type Role } from '../../src/people/users.ts'
import type { Database } from '../../src/storage/database.ts'
import { queries, toStatement } from '../../src/storage/statement.ts'
import { useDatabases } from '../support/databases.ts'

const nowMs = Date.UTC(2026, 0, 2, 12)

const databases = useDatabases()
let database: Database
beforeEach(async () => {
  database = await databases.open()
})

const create = (name: string, role: Role = 'admin') =>
  createUser(database, { email: `${name}@example.com`, name, role, passwordHash: undefined }, nowMs)

test('an address that is taken is refused by name', async () => {
  await create('ada')
  await expect(create('Ada')).rejects.toMatchObject({ code: 'email_taken', param: 'email' })
})

test('when two admins demote each other at the same time, one stays an admin', async () => {
  const [ada, bob] = await Promise.all([create('ada'), create('bob')])
  const ends = await Promise.allSettled([
    editAccount(database, ada.accountId, { role: 'member' }, nowMs),
    editAccount(database, bob.accountId, { disabled: true }, nowMs),
  ])
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'invalid_value', param: 'id' },
  })
})

test('a member can be disabled beside the only admin, whose name can be changed', async () => {
  const [ada, bob] = await Promise.all([create('ada'), create('bob', 'member')])
  await editAccount(database, bob.accountId, { disabled: true }, nowMs)
  await editAccount(database, ada.accountId, { name: 'Ada L.' }, nowMs)
  expect((await findUser(database, ada.id))?.role).toBe('admin')
})

test.each([{ role: 'member' }, { disabled: true }] as const)(
  'an admin cannot come back after %o with a link that he may have created',
  async (changes) => {
    const [ada] = await Promise.all([create('ada'), create('bob')])
    await addLinks(ada.id)
    await editAccount(database, ada.accountId, { name: 'Ada L.' }, nowMs)
    expect(await links()).toBe('invite admin, invite member, reset-password')
    await editAccount(database, ada.accountId, changes, nowMs)
    expect(await links()).toBe('')
  },
)

test('disabling a member leaves the links of admins', async () => {
  const [ada, bob] = await Promise.all([create('ada'), create('bob', 'member')])
  await addLinks(ada.id)
  await editAccount(database, bob.accountId, { disabled: true }, nowMs)
  expect(await links()).toBe('invite admin, invite member, reset-password')
})

/** Adds an invite for each role, and a link to reset the user's password. */
async function addLinks(userId: string): Promise<void> {
  const invite = (role: Role) => newLink({ purpose: 'invite', role }, nowMs, 60_000).insert
  await database.write([invite('admin'), invite('member')])
  await createResetLink(database, userId, 'http://localhost', nowMs)
}

async function links(): Promise<string> {
  const query = queries.selectFrom('one_time_links').selectAll()
  const rows = await database.read(query.orderBy('purpose').orderBy('role'))
  return rows
    .map(({ purpose, role }) => (role === null ? purpose : `${purpose} ${role}`))
    .join(', ')
}

test('an account without a user gets no role', async () => {
  await create('ada')
  await database.write([insertAccount('acct_2', 'keys only', nowMs)])
  await expect(editAccount(database, 'acct_2', { role: 'admin' }, nowMs)).rejects.toMatchObject({
    code: 'invalid_value',
    param: 'role',
  })
})

test('keys that were never used come last in the order of the latest use', async () => {
  const { id: accountId } = await ensureDefaultAccount(database)
  for (const [index, name] of ['early', 'never', 'late'].entries()) {
    const { id } = await createApiKey(database, { accountId, name }, nowMs)
    const used = queries.updateTable('api_keys').set({ last_used_ms: nowMs + index })
    if (name !== 'never') await database.write([toStatement(used.where('id', '=', id))])
  }
  const sorted = async (order: 'asc' | 'desc') => {
    const query = { sort: 'last_used', order, offset: 0, limit: 9 } as const
    const { records } = await new ApiKeyList(database, () => nowMs).search(accountId, query)
    return records.map(({ name }) => name)
  }
  expect(await sorted('desc')).toEqual(['late', 'early', 'never'])
  expect(await sorted('asc')).toEqual(['never', 'early', 'late'])
})
