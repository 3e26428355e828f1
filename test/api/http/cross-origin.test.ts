import { afterAll, beforeAll, expect, test } from 'vitest'
import { question, startTestService, type TestService } from '../../support/service.ts'

const origin = 'https://notes.example'
let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const preflight = (path: string, headers: Record<string, string>) =>
  service.request(path, { method: 'OPTIONS', key: null, headers })

test('a preflight allows a page of another origin to send its key', async () => {
  const reply = await preflight('/v1/chat/completions', {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-stainless-lang',
  })
  expect(reply.status).toBe(204)
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization,content-type,x-stainless-lang',
    'access-control-max-age': '86400',
  })
  expect(reply.headers.get('access-control-allow-credentials')).toBeNull()
})

test('a page of another origin can read replies, streams and errors, and their headers', async () => {
  const headers = { origin }
  for (const reply of [
    await service.post(question, { headers }),
    await service.post({ ...question, stream: true }, { headers }),
    await service.post({ ...question, temperature: 7 }, { headers }),
    await service.post(question, { headers, key: null }),
    await service.request('/v1/nothing', { headers }),
  ]) {
    await reply.text()
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    const exposed = reply.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining(['x-request-id', 'x-ratelimit-reset-tokens', 'retry-after-ms']),
    )
  }
})

test('a request without an origin has no CORS headers, and other methods and paths stay closed (T11)', async () => {
  const plain = await service.post(question)
  expect(plain.headers.get('access-control-allow-origin')).toBeNull()
  expect((await preflight('/v1/chat/completions', { origin })).status).toBe(405)
  const elsewhere = { origin, 'access-control-request-method': 'GET' }
  expect((await preflight('/healthz', elsewhere)).status).toBe(405)
  for (const path of ['/', '/panel/api/setup', '/panel/api/me', '/healthz']) {
    const reply = await fetch(service.url + path, { headers: { origin } })
    expect([path, reply.headers.get('access-control-allow-origin')]).toEqual([path, null])
  }
})
