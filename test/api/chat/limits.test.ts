import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { editAccount } from '../../../src/people/edit-account.ts'
import { createApiKey, editApiKey, type NewApiKey } from '../../../src/accounts/api-key-store.ts'
import { byWireName } from '../../../src/key-limits.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { addAccount } from '../../support/accounts.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'
import { recordFinding } from '../../support/reliability.ts'

/** The messages of a request that runs until the gate is released. */
const held = [{ role: 'user', content: 'HOLD' }]
const gate = new ReplyGate({ marker: 'HOLD' })
let service: TestService
let database: Database
let accounts = 0
let accountId: string
beforeAll(async () => {
  const engine = scriptedEngine({
    contextTokens: 512,
    failure: { marker: 'FAIL', afterTokens: 1 },
    gate: gate.gate,
    reply: () => 'Yes.',
  })
  service = await startTestService({ engine })
  database = await openDatabase(service.dataDir, { url: service.databaseUrl })
})
// Replies still held after a failed test would delay closing the service.
afterEach(() => gate.release())
afterAll(async () => {
  await database.close()
  await service.close()
})
// Each test has its own account, so that the usage of another test does not count.
beforeEach(async () => {
  accountId = await addAccount(database, `limits_${++accounts}`)
})

type ErrorBody = { error: { code: string; type: string; message: string } }

async function newKey(wanted: Omit<NewApiKey, 'accountId' | 'name'>) {
  const created = await createApiKey(database, { accountId, name: 'k', ...wanted }, Date.now())
  await expect.poll(() => statusOf(created.key)).not.toBe(401)
  return created
}
const statusOf = async (key: string) => (await service.request('/v1/models', { key })).status
const keyState = async (key: string) =>
  (await (await service.request('/v1/key', { key })).json()) as {
    limits: Record<string, { limit: number; remaining: number; reset_ms: number } | null>
    account_limits: Record<string, { limit: number; remaining: number; reset_ms: number } | null>
  }
const limitHeaders = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-ratelimit-')))
const ask = (key: string, body: object = {}) =>
  service.post({ ...question, max_tokens: 20, ...body }, { key })
const usageOf = async (response: Response) =>
  ((await response.json()) as { usage: { total_tokens: number } }).usage.total_tokens

/**
 * On PostgreSQL, waits until the key has this many tokens left and that stays so: a reply whose entry reaches the disk
 * while the leases are renewed counts twice until the next renewal, which is due within 250 ms. With SQLite the state is
 * right at once, so nothing waits.
 */
async function isCountedOnce(key: string, tokens: number): Promise<void> {
  if (service.databaseUrl === undefined) return
  await delay(600)
  const remaining = async () => (await keyState(key)).limits['tokens_per_day']?.remaining
  await expect.poll(remaining).toBe(tokens)
}

test('the headers of every response give the state, and unused tokens are released', async () => {
  const { key } = await newKey({ limits: { requestsPerMinute: 1000, tokensPerDay: 1000 } })
  expect(limitHeaders(await service.request('/v1/key', { key }))).toMatchObject({
    'x-ratelimit-limit-requests': '1000',
    'x-ratelimit-remaining-requests': '1000',
    'x-ratelimit-reset-requests': '0s',
    'x-ratelimit-limit-tokens': '1000',
    'x-ratelimit-remaining-tokens': '1000',
    'x-ratelimit-reset-tokens': expect.stringMatching(/^\d+(\.\d+)?s$/),
  })
  const response = await ask(key)
  const used = await usageOf(response)
  expect(used).toBeLessThan(20)
  expect(response.headers.get('x-ratelimit-remaining-tokens')).toBe(String(1000 - used))
  await isCountedOnce(key, 1000 - used)
  expect((await keyState(key)).limits['tokens_per_day']).toMatchObject({
    limit: 1000,
    remaining: 1000 - used,
  })

  // Reserved tokens are also released after a failure, a refusal and a stream.
  const failing = { messages: [{ role: 'user', content: 'FAIL' }] }
  const failed = await ask(key, failing)
  expect(failed.status).toBe(500)
  const afterFailure = Number(failed.headers.get('x-ratelimit-remaining-tokens'))
  expect(afterFailure).toBe(1000 - used - 6)
  await isCountedOnce(key, afterFailure)
  const refused = await ask(key, { max_tokens: 0 })
  expect(refused.headers.get('x-ratelimit-remaining-tokens')).toBe(String(afterFailure))
  const long = await ask(key, { messages: [{ role: 'user', content: 'a '.repeat(600) }] })
  expect(long.headers.get('x-ratelimit-remaining-tokens')).toBe(String(afterFailure))
  const stream = await service.stream({ ...question, max_tokens: 20 }, { key })
  const reserved = Number(stream.headers.get('x-ratelimit-remaining-tokens'))
  expect(reserved).toBeLessThanOrEqual(afterFailure - used)
  await isCountedOnce(key, afterFailure - used)
  expect((await keyState(key)).limits['tokens_per_day']?.remaining).toBe(afterFailure - used)
})

test('a key without limits has no rate limit headers', async () => {
  const { key } = await newKey({})
  const response = await ask(key)
  expect([response.status, limitHeaders(response)]).toEqual([200, {}])
  expect((await keyState(key)).limits).toEqual(byWireName(() => null))
})

test('a request over the limit gets 429 with the time to retry, and costs no tokens', async () => {
  const { key } = await newKey({ limits: { requestsPerMinute: 2 } })
  const before = service.ledgerRows().length
  expect([(await ask(key)).status, (await ask(key)).status]).toEqual([200, 200])
  const response = await ask(key)
  expect([response.status, ((await response.json()) as ErrorBody).error]).toMatchObject([
    429,
    { code: 'rate_limit_exceeded', type: 'requests' },
  ])
  const waitMs = Number(response.headers.get('retry-after-ms'))
  expect(waitMs).toBeGreaterThan(0)
  expect(waitMs).toBeLessThanOrEqual(30_000)
  expect(response.headers.get('retry-after')).toBe(String(Math.ceil(waitMs / 1000)))
  expect(response.headers.get('x-should-retry')).toBeNull()
  await expect
    .poll(() => service.ledgerRows().slice(before))
    .toMatchObject([
      { outcome: 'completed' },
      { outcome: 'completed' },
      { outcome: 'refused', prompt_tokens: 0, completion_tokens: 0 },
    ])
})

test('tokens per minute: a request that fits later gets a retry time, one that never fits gets none', async () => {
  const { key } = await newKey({ limits: { tokensPerMinute: 400 } })
  const all = await ask(key, { max_tokens: 400 })
  expect([all.status, ((await all.json()) as ErrorBody).error]).toMatchObject([
    429,
    { code: 'rate_limit_exceeded', type: 'tokens' },
  ])
  expect([all.headers.get('x-should-retry'), all.headers.get('retry-after')]).toEqual([
    'false',
    null,
  ])
  const running = ask(key, { messages: held, max_tokens: 350 })
  await expect.poll(() => gate.held).toBe(1)
  const response = await ask(key, { max_tokens: 200 })
  expect([response.status, Number(response.headers.get('retry-after'))]).toEqual([
    429,
    expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60),
  ])
  gate.release()
  expect((await running).status).toBe(200)
})

test('a spent quota forbids retries; another key of the account has its own quota', async () => {
  const { key } = await newKey({ limits: { tokensPerMonth: 40 } })
  expect((await ask(key)).status).toBe(200)
  const response = await ask(key, { max_tokens: 40 })
  expect([response.status, ((await response.json()) as ErrorBody).error]).toMatchObject([
    429,
    { code: 'insufficient_quota', type: 'insufficient_quota' },
  ])
  expect([response.headers.get('x-should-retry'), response.headers.get('retry-after')]).toEqual([
    'false',
    null,
  ])
  expect((await ask((await newKey({})).key, { max_tokens: 40 })).status).toBe(200)
})

test('parallel requests: one over the limit gets 429, and the next one after the end runs (T43)', async () => {
  const { key } = await newKey({ limits: { parallelRequests: 1 } })
  const running = ask(key, { messages: held, max_tokens: 100 })
  await expect.poll(() => gate.held).toBe(1)
  expect((await keyState(key)).limits['parallel_requests']?.remaining).toBe(0)
  const response = await ask(key)
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1'])
  gate.release()
  expect((await running).status).toBe(200)
  expect((await ask(key)).status).toBe(200)
})

test('the limits of an account cover all its keys, and change while the service runs', async () => {
  const [one, two] = [await newKey({}), await newKey({})]
  await editAccount(database, accountId, { limits: { tokensPerDay: 100 } }, Date.now())
  const accountLeft = async (key: string) =>
    (await keyState(key)).account_limits['tokens_per_day']?.remaining
  await expect.poll(() => accountLeft(one.key)).toBe(100)
  const used = await usageOf(await ask(one.key))
  // On PostgreSQL, the ledger and the lease both count a request for a moment.
  await expect.poll(() => accountLeft(two.key)).toBe(100 - used)
  expect((await ask(two.key, { max_tokens: 100 })).status).toBe(429)
  await editApiKey(database, two.id, { limits: { requestsPerMinute: 1 } }, Date.now())
  await editAccount(database, accountId, { limits: { tokensPerDay: null } }, Date.now())
  await expect.poll(() => accountLeft(one.key)).toBeUndefined()
  expect([(await ask(two.key)).status, (await ask(two.key)).status]).toEqual([200, 429])
})

test('a replayed reply costs nothing and is sent even when the limit is reached', async () => {
  const { key } = await newKey({ limits: { requestsPerMinute: 1, tokensPerDay: 60 } })
  const init = { key, headers: { 'idempotency-key': 'once' } }
  const body = { ...question, max_tokens: 20 }
  const first = await service.post(body, init)
  const state = (await keyState(key)).limits['tokens_per_day']
  expect((await ask(key)).status).toBe(429)
  const again = await service.post(body, init)
  expect([again.status, await again.json()]).toEqual([200, await first.json()])
  expect((await keyState(key)).limits['tokens_per_day']?.remaining).toBe(state?.remaining)
})

describe('scopes', () => {
  const get = (path: string, key: string) => service.request(path, { key })

  test.each([
    ['chat', [200, 200, 200, 403, 403, 200, 200]],
    ['read', [403, 403, 403, 200, 404, 200, 200]],
  ])('a key with only the scope `%s` reaches only its routes', async (scope, expected) => {
    const { key } = await newKey({ scopes: [scope] })
    const responses = [
      await ask(key),
      await service.post(question, { key, path: '/v1/chat/completions/input_tokens' }),
      await service.post(question, { key, path: '/v1/tokenize' }),
      await get('/v1/requests', key),
      await get('/v1/requests/req_none', key),
      await get('/v1/models', key),
      await get('/v1/key', key),
    ]
    expect(responses.map(({ status }) => status)).toEqual(expected)
    for (const response of responses.filter(({ status }) => status === 403))
      expect(((await response.json()) as ErrorBody).error).toMatchObject({
        code: 'insufficient_permissions',
        type: 'invalid_request_error',
        param: null,
      })
  })

  test('the scope is checked before the body is read', async () => {
    const { key } = await newKey({ scopes: ['read'] })
    const response = await service.post('not JSON', {
      key,
      headers: { 'content-type': 'text/plain' },
    })
    expect(response.status).toBe(403)
  })
})

test('GET /v1/key returns the name, scopes, expiry and limits of the key', async () => {
  const expiresMs = Date.UTC(2100, 0, 1)
  const { id, key } = await newKey({ scopes: ['chat'], expiresMs, limits: { parallelRequests: 3 } })
  expect(await keyState(key)).toMatchObject({
    id,
    object: 'key',
    name: 'k',
    created: expect.any(Number),
    expires: expiresMs / 1000,
    scopes: ['chat'],
    limits: { parallel_requests: { limit: 3, remaining: 3, reset_ms: 0 } },
  })
})

const countingPaths = ['/v1/chat/completions/input_tokens', '/v1/tokenize']
test.each(countingPaths)(
  '%s counts against requests per minute and parallel requests, and uses no tokens (T43, T50)',
  async (path) => {
    const { key } = await newKey({
      limits: { requestsPerMinute: 2, parallelRequests: 1, tokensPerDay: 1000 },
    })
    const counted = await service.post(question, { key, path })
    expect(counted.status).toBe(200)
    expect((await keyState(key)).limits).toMatchObject({
      requests_per_minute: { limit: 2, remaining: 1 },
      parallel_requests: { limit: 1, remaining: 1 },
      tokens_per_day: { limit: 1000, remaining: 1000 },
    })
    const stream = await ask(key, { stream: true, messages: held, max_tokens: 200 })
    const refused = await service.post(question, { key, path })
    await stream.body?.cancel()
    gate.release()
    expect([refused.status, ((await refused.json()) as ErrorBody).error.code]).toEqual([
      429,
      'rate_limit_exceeded',
    ])
    // A request with an invalid body does not count against the limit.
    const fresh = await newKey({ limits: { requestsPerMinute: 1 } })
    expect((await service.post({ ...question, n: 9 }, { key: fresh.key, path })).status).toBe(400)
    expect((await service.post(question, { key: fresh.key, path })).status).toBe(200)
    expect((await service.post(question, { key: fresh.key, path })).status).toBe(429)
    recordFinding('T50', `${path}: with one request a minute, the second count got 429.`)
  },
)
