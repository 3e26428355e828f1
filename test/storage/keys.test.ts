import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ensureDefaultAccount, insertAccount } from '../../src/accounts/accounts.ts'
import { editAccount } from '../../src/people/edit-account.ts'
import { listApiKeys } from '../../src/accounts/api-key-store.ts'
import { ApiKeys } from '../../src/accounts/api-keys.ts'
import { generateApiKey } from '../../src/accounts/api-key-text.ts'
import type { Database } from '../../src/storage/database.ts'
import { queries, toStatement } from '../../src/storage/statement.ts'
import { onPostgres, useDatabases } from '../support/databases.ts'
import { runCommand } from '../support/terminal/run-command.ts'

const noonMs = Date.UTC(2026, 0, 2, 12)

const databases = useDatabases()
let database: Database
let keys: ApiKeys
let nowMs: number
let accountId: string

beforeEach(async () => {
  nowMs = noonMs
  database = await databases.open({ serve: true })
  accountId = (await ensureDefaultAccount(database)).id
  keys = await ApiKeys.open(database, () => nowMs)
})

afterEach(() => keys.close())

test('a created key is resolved to its account and its id', async () => {
  const { id, key } = await keys.create({ accountId, name: 'laptop' })
  expect(id).toMatch(/^key_[0-9a-f]{24}$/)
  expect(accountId).toMatch(/^acct_[0-9a-f]{24}$/)
  expect(keys.check(key)).toMatchObject({ accountId, keyId: id, revoked: { aborted: false } })
})

test('unknown, revoked, expired and mistyped keys all have no caller', async () => {
  const revoked = await keys.create({ accountId, name: 'revoked' })
  await keys.revoke(revoked.id)
  const expired = await keys.create({ accountId, name: 'expired', expiresMs: noonMs + 1 })
  nowMs += 1
  for (const key of [generateApiKey(), revoked.key, expired.key, `${revoked.key}x`, ''])
    expect(keys.check(key)).toBeUndefined()
})

test('revoking a key refuses it at once and aborts the signal of its caller', async () => {
  const { id, key } = await keys.create({ accountId, name: 'laptop' })
  const other = await keys.create({ accountId, name: 'phone' })
  const caller = keys.check(key)
  await keys.revoke(id)
  expect(caller?.revoked.aborted).toBe(true)
  expect(keys.check(key)).toBeUndefined()
  expect(keys.check(other.key)?.revoked.aborted).toBe(false)
})

test('revoking a key again succeeds, revoking an unknown key is refused', async () => {
  const { id } = await keys.create({ accountId, name: 'laptop' })
  await keys.revoke(id)
  await keys.revoke(id)
  expect(await listApiKeys(database, nowMs)).toMatchObject([{ id, state: 'revoked' }])
  await expect(keys.revoke('key_none')).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no API key "key_none".',
  })
})

test('a caller keeps its signal when other keys change', async () => {
  const { id, key } = await keys.create({ accountId, name: 'laptop' })
  const caller = keys.check(key)
  await keys.create({ accountId, name: 'phone' })
  expect(keys.check(key)).toBe(caller)
  await keys.revoke(id)
  expect(caller?.revoked.aborted).toBe(true)
})

test('the signal of a caller aborts when its key expires', async () => {
  const { key } = await keys.create({ accountId, name: 'short', expiresMs: noonMs + 50 })
  const caller = keys.check(key)
  const aborted = new Promise((resolve) => caller?.revoked.addEventListener('abort', resolve))
  nowMs += 50
  await aborted
  expect(keys.check(key)).toBeUndefined()
})

test('keys work after a restart, and only their digest is on disk', async ({ skip }) => {
  skip(...onPostgres)
  const { id, key } = await keys.create({ accountId, name: 'laptop' })
  keys.close()
  await database.close()
  expect(readFileSync(join(databases.dataDir, 'pipit.db')).includes(key.slice(9, 40))).toBe(false)
  database = await databases.open()
  keys = await ApiKeys.open(database, () => nowMs)
  expect(keys.check(key)?.keyId).toBe(id)
})

test('the last use is written once a minute', async () => {
  const { id, key } = await keys.create({ accountId, name: 'laptop' })
  const lastUsedMs = async () =>
    (await listApiKeys(database, nowMs)).find((key) => key.id === id)?.lastUsedMs
  expect(await lastUsedMs()).toBeUndefined()
  // The write of `check` cannot be awaited. So the test awaits a later write, which commits after the one of `check`.
  const written = () => keys.create({ accountId, name: 'other' })

  keys.check(key)
  await written()
  expect(await lastUsedMs()).toBe(noonMs)
  nowMs += 59_999
  keys.check(key)
  await written()
  expect(await lastUsedMs()).toBe(noonMs)
  nowMs += 1
  keys.check(key)
  await written()
  expect(await lastUsedMs()).toBe(noonMs + 60_000)
})

describe('rotation', () => {
  test('gives a new key under the same id, and the previous key works until the grace period ends', async () => {
    const { id, key } = await keys.create({ accountId, name: 'laptop', scopes: ['chat'] })
    const before = keys.check(key)
    const rotated = await keys.rotate(id, 50)
    expect(rotated.id).toBe(id)
    expect(keys.check(rotated.key)).toMatchObject({ keyId: id, scopes: ['chat'] })
    expect(keys.check(rotated.key)?.expiresMs).toBeUndefined()
    expect(keys.check(key)).toMatchObject({ keyId: id, expiresMs: noonMs + 50 })
    expect(keys.check(key)?.revoked).toBe(before?.revoked)
    expect(before?.revoked.aborted).toBe(false)

    const aborted = new Promise((resolve) => before?.revoked.addEventListener('abort', resolve))
    nowMs += 50
    expect(keys.check(key)).toBeUndefined()
    await aborted
    expect(keys.check(rotated.key)).toMatchObject({ revoked: { aborted: false } })
  })

  test('without a grace period ends the previous key at once', async () => {
    const { id, key } = await keys.create({ accountId, name: 'laptop' })
    const before = keys.check(key)
    const rotated = await keys.rotate(id, 0)
    expect([keys.check(key), before?.revoked.aborted]).toEqual([undefined, true])
    expect(keys.check(rotated.key)).toBeDefined()
  })

  test('is refused after a revocation, which also ends the previous key', async () => {
    const { id, key } = await keys.create({ accountId, name: 'laptop' })
    const rotated = await keys.rotate(id, 1000)
    const callers = [keys.check(key), keys.check(rotated.key)]
    await keys.revoke(id)
    for (const caller of callers) expect(caller?.revoked.aborted).toBe(true)
    expect([keys.check(key), keys.check(rotated.key)]).toEqual([undefined, undefined])
    const revoked = { code: 'key_revoked', message: expect.stringMatching(/is revoked/) }
    await expect(keys.rotate(id, 0)).rejects.toMatchObject(revoked)
    await expect(keys.edit(id, { name: 'other' })).rejects.toMatchObject(revoked)
  })

  test('does not let the previous key outlive the expiry of the key', async () => {
    const { id, key } = await keys.create({ accountId, name: 'short', expiresMs: noonMs + 10 })
    const rotated = await keys.rotate(id, 1000)
    nowMs += 10
    expect([keys.check(key), keys.check(rotated.key)]).toEqual([undefined, undefined])
    await expect(keys.rotate(id, 0)).rejects.toMatchObject({
      message: expect.stringMatching(/has expired/),
    })
  })

  test('in the grace period of an earlier rotation is refused, or ends both older keys', async () => {
    const { id, key } = await keys.create({ accountId, name: 'laptop' })
    const second = await keys.rotate(id, 1000)
    await expect(keys.rotate(id, 1000)).rejects.toMatchObject({
      message: expect.stringMatching(/is valid until 2026-01-02T12:00:01/),
    })
    expect(keys.check(key)).toBeDefined()
    const third = await keys.rotate(id, 0)
    expect([keys.check(key), keys.check(second.key)]).toEqual([undefined, undefined])
    expect(keys.check(third.key)).toBeDefined()
  })

  test('keeps its grace period over a restart', async () => {
    const { id, key } = await keys.create({ accountId, name: 'laptop' })
    await keys.rotate(id, 1000)
    keys.close()
    keys = await ApiKeys.open(database, () => nowMs)
    expect(keys.check(key)?.keyId).toBe(id)
    nowMs += 1000
    expect(keys.check(key)).toBeUndefined()
    keys.close()
    keys = await ApiKeys.open(database, () => nowMs)
    expect(keys.check(key)).toBeUndefined()
  })
})

test('a caller has the limits and scopes of the last edit', async () => {
  const { id, key } = await keys.create({
    accountId,
    name: 'laptop',
    limits: { requestsPerMinute: 10, tokensPerDay: 1000 },
  })
  const caller = keys.check(key)
  expect(caller).toMatchObject({
    scopes: ['chat', 'read'],
    limits: { requestsPerMinute: 10, tokensPerDay: 1000 },
    accountLimits: {},
  })
  await keys.edit(id, { limits: { tokensPerDay: null, parallelRequests: 2 }, scopes: ['read'] })
  await editAccount(database, accountId, { limits: { tokensPerMonth: 5 } }, Date.now())
  await keys.edit(id, { name: 'desk' })
  const edited = keys.check(key)
  expect(edited).toMatchObject({
    name: 'desk',
    scopes: ['read'],
    accountLimits: { tokensPerMonth: 5 },
  })
  expect(edited?.limits).toEqual({ requestsPerMinute: 10, parallelRequests: 2 })
  expect(edited?.revoked).toBe(caller?.revoked)
})

test.each([
  [{ limits: { tokensPerDay: 0 } }, /whole number from 1/],
  [{ limits: { tokensPerDay: 1.5 } }, /whole number from 1/],
  [{ limits: { tokensPerDay: 1e10 } }, /whole number from 1/],
  [{ scopes: ['chat', 'admin'] }, /"admin" is not a scope/],
  [{ scopes: [] }, /Give at least one of chat, read/],
  [{ expiresMs: noonMs }, /in the past/],
  [{}, /nothing to change/],
])('the edit %j is refused and changes nothing', async (changes, why) => {
  const { id } = await keys.create({ accountId, name: 'laptop' })
  const before = await listApiKeys(database, nowMs)
  await expect(keys.edit(id, changes)).rejects.toMatchObject({
    code: 'invalid_value',
    message: expect.stringMatching(why),
  })
  expect(await listApiKeys(database, nowMs)).toEqual(before)
})

test.each([
  ['', /Enter a name/],
  ['   ', /Enter a name/],
  ['x'.repeat(65), /too long/],
  ['e\u0301'.repeat(65), /too long/],
  ['👩‍👩‍👧‍👦'.repeat(11), /too long/],
  ['a\u202eb', /cannot be displayed/],
  ['a\nb', /cannot be displayed/],
  ['a\u0000', /cannot be displayed/],
  ['\ud800', /cannot be displayed/],
])('the name %j is refused', async (name, why) => {
  await expect(keys.create({ accountId, name })).rejects.toMatchObject({
    code: 'invalid_value',
    param: 'name',
    message: expect.stringMatching(why),
  })
  expect(await listApiKeys(database, nowMs)).toEqual([])
})

test('a change of one key or account applies only to its own keys', async () => {
  const one = await keys.create({ accountId, name: 'one' })
  const other = await keys.create({ accountId, name: 'other' })
  const rename = queries.updateTable('api_keys').set({ name: 'renamed' })
  await database.write([toStatement(rename)])
  await keys.edit(one.id, { scopes: ['read'] })
  const names = () => [keys.check(one.key)?.name, keys.check(other.key)?.name]
  expect(names()).toEqual(['renamed', 'other'])
  await keys.refreshAccount('acct_other')
  expect(names()).toEqual(['renamed', 'other'])
  await keys.refreshAccount(accountId)
  expect(names()).toEqual(['renamed', 'renamed'])
})

test('names are stored in their composed Unicode form', async () => {
  await keys.create({ accountId, name: ' cafe\u0301 ☕ ' })
  expect((await listApiKeys(database, nowMs))[0]?.name).toBe('caf\u00e9 ☕')
})

test('a key of another process is accepted, and refused once that process has revoked it', async () => {
  const other = await ApiKeys.open(await databases.open(), () => nowMs)
  try {
    const { id, key } = await other.create({ accountId, name: 'laptop' })
    await expect.poll(() => keys.check(key)).toMatchObject({ accountId, keyId: id })
    const caller = keys.check(key)
    await other.revoke(id)
    await expect.poll(() => caller?.revoked.aborted).toBe(true)
    expect(keys.check(key)).toBeUndefined()
  } finally {
    other.close()
  }
})

test('many changes of other processes are read together', async () => {
  const following = vi.spyOn(database, 'onForeignCommit')
  const other = await ApiKeys.open(database, () => nowMs)
  try {
    const reading = vi.spyOn(database, 'read')
    for (let changes = 0; changes < 50; changes++) following.mock.lastCall?.[0]()
    await other.refreshAccount(accountId)
    // Each refresh reads the mark and the keys.
    expect(reading.mock.calls.length).toBeLessThan(10)
  } finally {
    other.close()
    vi.restoreAllMocks()
  }
})

const pipit = (...args: string[]) => runCommand(args, { ...databases.environment })

test('the command line lists keys without their text, and revoked ones as such', async () => {
  const { id, key } = await keys.create({ accountId, name: 'laptop' })
  const shown = await pipit('keys', 'list')
  expect(shown.stdout).toMatch(
    new RegExp(`${id} +laptop +sk-pipit-…\\w{4} +\\d{4}-\\d\\d-\\d\\d .*active`),
  )
  expect(shown.stdout).not.toContain(key)

  const revoked = await pipit('keys', 'revoke', id)
  expect(revoked).toEqual({ code: 0, stdout: `Revoked ${id}.\n`, stderr: '' })
  expect(JSON.parse((await pipit('keys', 'list', '--json')).stdout)).toMatchObject([
    { id, name: 'laptop', state: 'revoked' },
  ])
})

test('the command line reports a mistake in one sentence', async () => {
  expect(await pipit('keys', 'revoke', 'key_none')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'pipit: There is no API key "key_none".\n',
  })
})

test('the command line names a data directory that is none', async ({ skip }) => {
  skip(...onPostgres)
  expect(await runCommand(['keys', 'list'], { PIPIT_DATA_DIR: '/dev/null' })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'pipit: /dev/null is not a directory. Set PIPIT_DATA_DIR to a directory.\n',
  })
})

describe('the keys of one account', () => {
  test('are at most 1,000, so that other accounts still get theirs (T59)', async () => {
    await insertKeys(1000 - (await unrevoked()))
    await expect(keys.create({ accountId, name: 'one more' })).rejects.toMatchObject({
      code: 'too_many_keys',
      message: 'This account already has 1000 API keys. Revoke one that is no longer used.',
    })
    const other = await addAccount()
    const { id } = await keys.create({ accountId: other, name: 'of another account' })
    const refused = await pipit('keys', 'create', '--name', 'one more', '--account', accountId)
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('This account already has 1000 API keys.'),
    ])
    await keys.revoke('key_bulk_0')
    await keys.create({ accountId, name: 'in place of a revoked one' })
    await keys.revoke(id)
  })

  test('are at most 1,000 also when many are created at the same time (T59)', async () => {
    await insertKeys(995 - (await unrevoked()))
    const created = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => keys.create({ accountId, name: `${i}` })),
    )
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })

  test('leave at most 1,000 revoked ones in the database, the latest (T59, T41)', async () => {
    await insertKeys(1500, 1)
    const { id } = await keys.create({ accountId, name: 'last' })
    await keys.revoke(id)
    await keys.create({ accountId, name: 'next' })
    const rows = await database.read(
      queries.selectFrom('api_keys').select('id').where('revoked_ms', 'is not', null),
    )
    expect(rows).toHaveLength(1000)
    expect(rows.map((row) => row.id)).toContain(id)
    expect(rows.map((row) => row.id)).not.toContain('key_bulk_0')
  })

  const unrevoked = async () =>
    (await listApiKeys(database, nowMs)).filter(({ state }) => state !== 'revoked').length
  /** Inserts keys. With `revokedMs`, they are revoked keys: the first at that time, each other one 1 ms later. */
  const insertKeys = (count: number, revokedMs?: number) =>
    database.write(
      Array.from({ length: count }, (_, i) =>
        toStatement(
          queries.insertInto('api_keys').values({
            id: `key_bulk_${i}`,
            account_id: accountId,
            name: 'bulk',
            digest: `digest_${i}`,
            created_ms: i,
            ...(revokedMs !== undefined && { revoked_ms: revokedMs + i }),
          }),
        ),
      ),
    )
  const addAccount = async () => {
    const id = 'acct_other'
    await database.write([insertAccount(id, 'other', 1)])
    return id
  }
})
