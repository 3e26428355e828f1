import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { IssuedPanelKey, PanelKey, PanelKeyList } from '../../../src/protocol/panel-keys.ts'
import { Database } from '../../../src/storage/database.ts'
import { addUser, type Signed, setUp } from '../../support/panel/panel.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { errorOf } from '../../support/error-of.ts'
import { question, readStream, startTestService, type TestService } from '../../support/service.ts'

const gate = new ReplyGate({ marker: 'HOLD' })
let service: TestService
let owner: Signed
let other: Signed
beforeAll(async () => {
  service = await startTestService({ engine: scriptedEngine({ gate: gate.gate }) })
  owner = await setUp(service)
  other = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
})
// Replies still held after a failed test would delay closing the service.
afterEach(() => gate.release())
afterAll(() => service.close())

const json = async <Body>(reply: Response | Promise<Response>) =>
  (await (await reply).json()) as Body
const create = (body: object) => json<IssuedPanelKey>(owner.post('/keys', body))
const list = (query = '') => json<PanelKeyList>(owner.get(`/keys${query}`))
const statusOf = async (key: string) => (await service.request('/v1/models', { key })).status

describe('a new key', () => {
  test('is shown once, works at once, and has the requested settings', async () => {
    const { key, record } = await create({
      name: '  été 🦜 ',
      scopes: ['chat'],
      expires_ms: Date.now() + 60_000,
      limits: { requests_per_minute: 5, tokens_per_day: 1000 },
    })
    expect(record).toMatchObject({
      name: 'été 🦜',
      state: 'active',
      scopes: ['chat'],
      limits: { requests_per_minute: 5, tokens_per_minute: null, tokens_per_day: 1000 },
      use: { requests_per_minute: { limit: 5, remaining: 5 }, tokens_per_minute: null },
      last_used_ms: null,
    })
    expect(await statusOf(key)).toBe(200)
    expect((await service.post({ ...question, max_tokens: 1 }, { key })).status).toBe(200)
    const seen = await json<PanelKey>(owner.get(`/keys/${record.id}`))
    expect(seen.use.requests_per_minute?.remaining).toBe(4)
    expect(seen.use.tokens_per_day?.remaining).toBeLessThan(1000)
    expect(seen.last_used_ms).not.toBeNull()
    expect(JSON.stringify(await list())).not.toContain(key)
  })

  test.each([
    [{}, 'missing_required_parameter', 'name'],
    [{ name: ' ' }, 'invalid_value', 'name'],
    [{ name: 'x'.repeat(10_000) }, 'invalid_value', 'name'],
    [{ name: 'right \u202e left' }, 'invalid_value', 'name'],
    [{ name: 'a', scopes: [] }, 'invalid_value', 'scopes'],
    [{ name: 'a', scopes: ['admin'] }, 'invalid_value', 'scopes'],
    [{ name: 'a', expires_ms: 1 }, 'invalid_value', 'expires_ms'],
    [{ name: 'a', expires_ms: 'soon' }, 'invalid_type', 'expires_ms'],
    [{ name: 'a', expires_ms: 1e20 }, 'integer_above_max_value', 'expires_ms'],
    [
      { name: 'a', limits: { tokens_per_day: 0 } },
      'integer_below_min_value',
      'limits.tokens_per_day',
    ],
    [
      { name: 'a', limits: { tokens_per_day: 1e10 } },
      'integer_above_max_value',
      'limits.tokens_per_day',
    ],
    [{ name: 'a', limits: { per_second: 1 } }, 'unsupported_parameter', 'limits.per_second'],
    [{ name: 'a', account_id: 'acct_other' }, 'unsupported_parameter', 'account_id'],
  ])(
    '%j is refused with its parameter, and no key is created (T7, T42)',
    async (body, code, param) => {
      const { total } = await list()
      expect(await errorOf(owner.post('/keys', body))).toEqual([400, code, param])
      expect((await list()).total).toBe(total)
    },
  )
})

describe('an edit', () => {
  test('keeps missing fields, removes limits that are null, and takes effect at once', async () => {
    const { key, record } = await create({
      name: 'edit',
      limits: { requests_per_minute: 1, tokens_per_day: 9 },
    })
    const changed = await json<PanelKey>(
      owner.post(`/keys/${record.id}`, {
        name: 'edited',
        limits: { tokens_per_day: null },
        scopes: ['read'],
      }),
    )
    expect(changed).toMatchObject({
      name: 'edited',
      scopes: ['read'],
      limits: { requests_per_minute: 1, tokens_per_day: null },
    })
    expect(await json(owner.post(`/keys/${record.id}`, {}))).toEqual(changed)
    expect((await service.post(question, { key })).status).toBe(403)
  })

  test('takes effect beside another edit at the same time', async () => {
    const { record } = await create({ name: 'race' })
    await Promise.all([
      owner.post(`/keys/${record.id}`, { name: 'won' }),
      owner.post(`/keys/${record.id}`, { limits: { parallel_requests: 3 } }),
    ])
    expect(await json(owner.get(`/keys/${record.id}`))).toMatchObject({
      name: 'won',
      limits: { parallel_requests: 3 },
    })
  })
})

test('creating a key reads no key from the database, and each other change reads one', async () => {
  const statements = vi.spyOn(Database.prototype, 'readRows')
  const reads = () => statements.mock.calls.filter(([{ sql }]) => sql.includes('api_keys')).length
  try {
    const { id } = (await create({ name: 'counted' })).record
    expect(reads()).toBe(0)
    await owner.post(`/keys/${id}`, { name: 'edited' })
    expect(reads()).toBe(1)
    await owner.post(`/keys/${id}/rotate`, { grace_ms: 0 })
    expect(reads()).toBe(2)
    await owner.post(`/keys/${id}/revoke`)
    expect(reads()).toBe(3)
  } finally {
    statements.mockRestore()
  }
})

describe('a rotation', () => {
  test('gives a new key, and the old one works until the grace period ends', async () => {
    const { key, record } = await create({ name: 'rotate' })
    const rotated = await json<IssuedPanelKey>(
      owner.post(`/keys/${record.id}/rotate`, { grace_ms: 60_000 }),
    )
    expect(rotated.record).toMatchObject({ id: record.id, name: 'rotate', state: 'active' })
    expect(rotated.record.previous_expires_ms).toBeGreaterThan(Date.now())
    expect([await statusOf(key), await statusOf(rotated.key)]).toEqual([200, 200])
    expect(await errorOf(owner.post(`/keys/${record.id}/rotate`, { grace_ms: 1000 }))).toEqual([
      400,
      'invalid_value',
      null,
    ])

    const short = await create({ name: 'rotate' })
    const { key: next } = await json<IssuedPanelKey>(
      owner.post(`/keys/${short.record.id}/rotate`, { grace_ms: 1 }),
    )
    await expect.poll(() => statusOf(short.key)).toBe(401)
    expect(await statusOf(next)).toBe(200)
  })

  test('without a grace period ends the old key at once; two at once leave one working key', async () => {
    const { key, record } = await create({ name: 'rotate now' })
    const replies = await Promise.all([
      owner.post(`/keys/${record.id}/rotate`, { grace_ms: 0 }),
      owner.post(`/keys/${record.id}/rotate`, { grace_ms: 0 }),
    ])
    expect(await statusOf(key)).toBe(401)
    const issued = await Promise.all(
      replies
        .filter(({ ok }) => ok)
        .map(async (reply) => statusOf((await json<IssuedPanelKey>(reply)).key)),
    )
    expect(issued.filter((status) => status === 200)).toEqual([200])
  })

  test.each([[{}], [{ grace_ms: -1 }], [{ grace_ms: 1.5 }], [{ grace_ms: 1e12 }]])(
    '%j is refused',
    async (body) => {
      const { key, record } = await create({ name: 'keep' })
      expect((await owner.post(`/keys/${record.id}/rotate`, body)).status).toBe(400)
      expect(await statusOf(key)).toBe(200)
    },
  )
})

test('a revocation takes effect at once, ends running requests, and is final (T9, G8)', async () => {
  const { key, record } = await create({ name: 'revoke' })
  const held = { ...question, messages: [{ role: 'user', content: 'HOLD' }], stream: true }
  const response = await service.post(held, { key })
  expect(response.status).toBe(200)
  const stream = readStream(response)
  const revoked = await json<PanelKey>(owner.post(`/keys/${record.id}/revoke`))
  expect(revoked.state).toBe('revoked')
  expect(await statusOf(key)).toBe(401)
  const { events, done } = await stream
  expect([done, events.at(-1)?.error?.code]).toEqual([false, 'invalid_api_key'])
  expect((await json<PanelKey>(owner.post(`/keys/${record.id}/revoke`))).state).toBe('revoked')
  for (const [path, body] of [
    ['', { name: 'back' }],
    ['/rotate', { grace_ms: 0 }],
  ] as const)
    expect(await errorOf(owner.post(`/keys/${record.id}${path}`, body))).toEqual([
      400,
      'key_revoked',
      null,
    ])
})

test('another account’s key looks the same as one that does not exist (T8)', async () => {
  const { record, key } = await create({ name: 'mine' })
  for (const id of [record.id, 'key_none'])
    for (const reply of [
      other.get(`/keys/${id}`),
      other.post(`/keys/${id}`, { name: 'theirs' }),
      other.post(`/keys/${id}/rotate`, { grace_ms: 0 }),
      other.post(`/keys/${id}/revoke`),
    ])
      expect(await errorOf(reply)).toEqual([404, 'not_found', 'id'])
  expect(await json<PanelKeyList>(other.get('/keys?state=all'))).toEqual({ data: [], total: 0 })
  expect(await statusOf(key)).toBe(200)
  expect((await json<PanelKey>(owner.get(`/keys/${record.id}`))).name).toBe('mine')
})

describe('a list of ten thousand keys', () => {
  beforeAll(() => {
    const db = new BetterSqlite3(join(service.dataDir, 'pipit.db'))
    const insert = db.prepare(
      'insert into api_keys (id, account_id, name, digest, created_ms, revoked_ms, expires_ms, last_used_ms) values (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    db.transaction(() => {
      for (let i = 0; i < 10_000; i++)
        insert.run(
          `key_many_${i}`,
          owner.me.account.id,
          `Many ${String(i).padStart(5, '0')}${i === 7 ? ' 100%_é' : ''}`,
          `digest_${i}`,
          i,
          i % 10 === 0 ? 1 : null,
          i % 10 === 1 ? 2 : null,
          i % 2 === 0 ? i : null,
        )
    })()
    db.close()
  })

  test('finds each key by search, state, order and page (F45)', async () => {
    const names = async (query: string) => (await list(query)).data.map(({ name }) => name)
    expect((await list('?search=many')).total).toBe(10_000)
    expect((await list('?search=many&state=revoked')).total).toBe(1000)
    expect((await list('?search=many&state=expired')).total).toBe(1000)
    expect((await list('?search=many&state=active')).total).toBe(8000)
    expect(await names('?search=100%25_')).toEqual(['Many 00007 100%_é'])
    expect(await names('?search=key_many_42')).toEqual(['Many 00042'])
    expect(await names('?search=%25')).toHaveLength(1)
    expect(await names('?search=many&sort=name&limit=2')).toEqual(['Many 00000', 'Many 00001'])
    expect(await names('?search=many&sort=created&order=desc&offset=1&limit=2')).toEqual([
      'Many 09998',
      'Many 09997',
    ])
    expect(await names('?search=many&sort=last_used&limit=1')).toEqual(['Many 09998'])
    expect(await names('?search=many&sort=last_used&order=asc&offset=5000&limit=1')).toEqual([
      'Many 00000',
    ])
    const seen = new Set<string>()
    for (let offset = 0; offset < 10_000; offset += 200)
      for (const { id } of (await list(`?search=many&limit=200&offset=${offset}`)).data)
        seen.add(id)
    expect(seen.size).toBe(10_000)
    expect((await list('?offset=99999')).data).toEqual([])
  })

  test.each([
    ['limit=0', 'integer_below_min_value', 'limit'],
    ['limit=201', 'integer_above_max_value', 'limit'],
    ['limit=ten', 'invalid_type', 'limit'],
    ['offset=-1', 'integer_below_min_value', 'offset'],
    ['sort=digest', 'invalid_value', 'sort'],
    ['order=up', 'invalid_value', 'order'],
    ['state=lost', 'invalid_value', 'state'],
    ['search=a&search=b', 'invalid_type', 'search'],
    [`search=${'x'.repeat(2000)}`, 'string_above_max_length', 'search'],
    ['account_id=acct_1', 'unsupported_parameter', 'account_id'],
  ])('refuses the query %s', async (query, code, param) => {
    expect(await errorOf(owner.get(`/keys?${query}`))).toEqual([400, code, param])
  })
})
