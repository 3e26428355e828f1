import { Agent, request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { queueOfKeyMax } from '../../../src/limits.ts'
import { addAccountWithKey } from '../../support/accounts.ts'
import { Uploads } from '../../support/raw-http.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'
import { recordFinding } from '../../support/reliability.ts'

const slots = 4
const mebibyte = 1024 * 1024

let service: TestService
let uploads: Uploads
beforeEach(async () => {
  service = await startTestService({ environment: { PIPIT_SLOTS: String(slots) } })
  uploads = new Uploads(service.url, service.key)
})
afterEach(async () => {
  uploads.close()
  await service.close()
})

const body = Buffer.from(JSON.stringify({ ...question, max_tokens: 1 }))

/** Returns the number of requests that hold a place in the queue and have no slot yet. */
async function waiting(): Promise<number> {
  const metrics = await (await fetch(service.metricsUrl)).text()
  return Number(/^pipit_requests_waiting (\S+)$/m.exec(metrics)?.[1])
}

async function newKey(name: string): Promise<string> {
  const { key } = await addAccountWithKey(service, name)
  const status = async () => (await service.request('/v1/models', { key })).status
  await expect.poll(status).toBe(200)
  return key
}

describe('a key that holds all places that it may have', () => {
  const most = slots + queueOfKeyMax
  beforeEach(async () => {
    for (let i = 0; i < most; i += 1) uploads.begin({ 'content-length': body.length })
    await vi.waitUntil(async () => (await waiting()) === most, { timeout: 10_000 })
  })

  test('is refused before its body is read, and others are served (T43, T49, T51)', async () => {
    const refused = uploads.begin({ 'content-length': body.length })
    expect(await refused.head()).toMatch(/^HTTP\/1\.1 429 [^]*\r\nretry-after: \d+\r\n/)
    const asking = uploads.begin({ 'content-length': body.length, expect: '100-continue' })
    expect(await asking.head()).toMatch(/^HTTP\/1\.1 429 /)
    const other = await service.post(question, { key: await newKey('other') })
    expect(other.status).toBe(200)
    recordFinding('T51', `A key with ${most} requests got 429 for two more; another key got 200.`)
  })

  test('still gets the other refusals first (T49)', async () => {
    const length = { 'content-length': body.length }
    const statuses = [
      uploads.begin({ ...length, authorization: 'Bearer sk-wrong' }),
      uploads.begin({ ...length, 'content-type': 'text/plain' }),
      uploads.begin(length, '/v1/nothing'),
    ].map(async (upload) => (await upload.head()).slice(9, 12))
    expect(await Promise.all(statuses)).toEqual(['401', '415', '404'])
  })

  test('gets its places back when it hangs up (T14, T49)', async () => {
    uploads.close()
    await expect.poll(waiting).toBe(0)
    expect((await service.post(question)).status).toBe(200)
  })

  test('does not delay a shutdown by requests that never came (T49)', async () => {
    const startMs = performance.now()
    await service.close()
    // The grace period for running replies is 30 s.
    expect(performance.now() - startMs).toBeLessThan(15_000)
    service = await startTestService()
  })
})

test('a place is free again however its request ends (T49)', async () => {
  const bad = ['{', '[]', '{}', JSON.stringify({ ...question, max_tokens: 0 })]
  for (const text of bad) expect((await service.post(text)).status).toBe(400)
  expect((await service.post('x'.repeat(mebibyte + 1))).status).toBe(413)
  const chunked = uploads.begin({ 'transfer-encoding': 'chunked' })
  chunked.sendChunk(Buffer.alloc(mebibyte + 1, 'x'))
  expect(await chunked.head()).toMatch(/^HTTP\/1\.1 413 /)
  const path = '/v1/chat/completions/input_tokens'
  expect((await service.post(question, { path })).status).toBe(200)
  expect((await service.stream(question)).done).toBe(true)
  const headers = { 'idempotency-key': 'once' }
  for (let i = 0; i < 2; i += 1)
    expect((await service.post(question, { headers })).status).toBe(200)
  await expect.poll(waiting).toBe(0)
})

test('a refusal of a client that waits for `100 Continue` says that it closes the connection (T49)', async () => {
  const upload = uploads.begin({
    authorization: 'Bearer sk-wrong',
    'content-length': body.length,
    expect: '100-continue',
  })
  expect(await upload.head()).toMatch(/^HTTP\/1\.1 401 [^]*\r\nconnection: close\r\n/i)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    for (let i = 0; i < 3; i += 1) expect(await refusedWith(agent)).toBe(401)
  } finally {
    agent.destroy()
  }
})

/** Sends a request without a body that waits for `100 Continue` over a pool of one connection. */
function refusedWith(agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: 'Bearer sk-wrong',
      'content-type': 'application/json',
      'content-length': 0,
      expect: '100-continue',
    }
    const url = `${service.url}/v1/chat/completions`
    request(url, { agent, method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
      .on('error', reject)
      .end()
  })
}

test('a client that waits for `100 Continue` gets it once it has a place (T49)', async () => {
  const upload = uploads.begin({ 'content-length': body.length, expect: '100-continue' })
  expect(await upload.head()).toMatch(/^HTTP\/1\.1 100 /)
  await upload.send(body)
  expect(await upload.head()).toMatch(/^HTTP\/1\.1 200 /)
})

describe('the bytes of the bodies of one key are bounded', () => {
  const declared = { 'content-length': mebibyte }
  const statusOf = async (upload: { head(): Promise<string> }) => (await upload.head()).slice(9, 12)

  test('when their sizes are declared: 17 uploads of 1 MiB (T13, T14, T49)', async () => {
    const began = Array.from({ length: 17 }, () => uploads.begin(declared))
    expect(await statusOf(began[16]!)).toBe('429')
    expect(await waiting()).toBe(16)
  })

  test('when they are not: 17 uploads of nearly 1 MiB in chunks (T13, T14, T49)', async () => {
    const began = Array.from({ length: 17 }, () =>
      uploads.begin({ 'transfer-encoding': 'chunked' }),
    )
    for (const upload of began) upload.sendChunk(Buffer.alloc(mebibyte - 1, ' '))
    expect(await Promise.race(began.map(statusOf))).toBe('429')
    await expect.poll(waiting).toBe(16)
  })

  test('but small bodies always fit, and other keys have room (T49)', async () => {
    for (let i = 0; i < 17; i += 1) uploads.begin(declared)
    await expect.poll(waiting).toBe(16)
    expect((await service.post(question)).status).toBe(200)
    const key = await newKey('other')
    const large = { ...question, user_data: 'x'.repeat(900_000) }
    expect((await service.post(large)).status).toBe(429)
    expect((await service.post(large, { key })).status).toBe(200)
  })
})

test('a body that needs no place is small: sign-in reads no more than 64 KiB (T13, T49)', async () => {
  const response = await fetch(`${service.url}/panel/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(64 * 1024) }),
  })
  expect(response.status).toBe(413)
})

test('the body for an unknown URL is not read (T13, T49)', async () => {
  const upload = uploads.begin({ 'content-length': mebibyte }, '/nothing')
  expect(await upload.head()).toMatch(/^HTTP\/1\.1 404 /)
})
