import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ensureDefaultAccount } from '../../src/accounts/accounts.ts'
import { rotateApiKey } from '../../src/accounts/api-key-store.ts'
import { ApiKeys } from '../../src/accounts/api-keys.ts'
import { editAccount } from '../../src/people/edit-account.ts'
import type { Database } from '../../src/storage/database.ts'
import { useDatabases } from '../support/databases.ts'

const nowMs = Date.UTC(2026, 0, 2, 12)

const databases = useDatabases()
let database: Database
let keys: ApiKeys
let accountId: string

beforeEach(async () => {
  database = await databases.open({ serve: true })
  accountId = (await ensureDefaultAccount(database)).id
  keys = await ApiKeys.open(database, () => nowMs)
})

afterEach(() => keys.close())

test('creating a key reads nothing, other changes read it once, and all return it as it is then', async () => {
  const reads = vi.spyOn(database, 'readRows')
  const { id, key, record } = await keys.create({ accountId, name: 'laptop' })
  expect(reads).toHaveBeenCalledTimes(0)
  const edited = await keys.edit(id, { name: 'phone', limits: { tokensPerDay: 5 } })
  expect(reads).toHaveBeenCalledTimes(1)
  const rotated = await keys.rotate(id, 1000)
  const callers = [keys.check(key), keys.check(rotated.key)]
  const revoked = await keys.revoke(id)
  expect(reads).toHaveBeenCalledTimes(3)

  expect(record).toMatchObject({ id, accountId, name: 'laptop', state: 'active', limits: {} })
  expect(edited).toEqual({ ...record, name: 'phone', limits: { tokensPerDay: 5 } })
  const { hint, ...rest } = rotated.record
  expect(rest).toMatchObject({ name: 'phone', previousExpiresMs: nowMs + 1000 })
  expect(hint).not.toBe(record.hint)
  expect(callers).toMatchObject([{ keyId: id }, { keyId: id, limits: { tokensPerDay: 5 } }])
  expect(revoked).toEqual({ ...rotated.record, state: 'revoked', lastUsedMs: nowMs })
  expect([keys.check(key), keys.check(rotated.key)]).toEqual([undefined, undefined])
  expect(await keys.revoke(id)).toEqual(revoked)
})

test('a changed key has the name and the limits of its account, and none works while that is disabled', async () => {
  await editAccount(database, accountId, { name: 'Ada', limits: { tokensPerDay: 7 } }, nowMs)
  const { id, key } = await keys.create({ accountId, name: 'laptop' })
  const account = { accountName: 'Ada', accountLimits: { tokensPerDay: 7 } }
  expect(keys.check(key)).toMatchObject(account)
  await editAccount(database, accountId, { disabled: true }, nowMs)
  await keys.edit(id, { name: 'phone' })
  expect(keys.check(key)).toBeUndefined()
})

test('an author with an account changes no key of another account', async () => {
  const { id, key } = await keys.create({ accountId, name: 'laptop' })
  const by = { userId: 'user_1', name: 'eve@example.com', accountId: 'acct_other' }
  for (const change of [
    () => keys.edit(id, { name: 'mine' }, by),
    () => keys.rotate(id, 0, by),
    () => keys.revoke(id, by),
  ])
    await expect(change()).rejects.toMatchObject({ code: 'not_found', param: 'id' })
  expect(keys.check(key)).toMatchObject({ name: 'laptop' })
})

test('a rotation is refused if another one of the key was faster', async () => {
  const { id } = await keys.create({ accountId, name: 'laptop' })
  // Neither rotation writes before both have read the key.
  const bothHaveRead = Promise.withResolvers<void>()
  let reads = 0
  const readRows = database.readRows.bind(database)
  vi.spyOn(database, 'readRows').mockImplementation(async (statement) => {
    const rows = await readRows(statement)
    if (++reads === 2) bothHaveRead.resolve()
    await bothHaveRead.promise
    return rows
  })
  // Bypasses `keys`, whose writes take turns, because the command line and other replicas write at the same time.
  const rotate = () => rotateApiKey(database, id, 0, nowMs)
  const rotations = await Promise.allSettled([rotate(), rotate()])
  expect(rotations.toSorted((a, b) => a.status.localeCompare(b.status))).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'key_changed' } },
  ])
})
