import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateApiKey } from '../../../src/accounts/api-key-text.ts'
import type { IssuedPanelKey } from '../../../src/protocol/panel-keys.ts'
import { setUp } from '../../support/panel/panel.ts'
import { rawStatus as statusOf } from '../../support/raw-http.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const routes: [method: string, path: string][] = [
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/chat'],
  ['POST', '/v1/chat/completions/input_tokens'],
  ['POST', '/v1/tokenize'],
  ['GET', '/v1/models'],
  ['GET', '/v1/models/svc-o1-mini'],
  ['GET', '/v1/requests'],
  ['GET', '/v1/key'],
]
const body = JSON.stringify(question)
const rawStatus = (text: string) => statusOf(service.url, text)
const call = (method: string, path: string, headers: Record<string, string>, base = service.url) =>
  fetch(base + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' ? { body } : {}),
  })

test.each(routes)('%s %s without a key is 401 missing_api_key (T3)', async (method, path) => {
  const response = await call(method, path, {})
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  expect(await response.json()).toMatchObject({
    error: { code: 'missing_api_key', type: 'invalid_request_error', param: null },
  })
})

test.each(routes)(
  '%s %s accepts the key only as a Bearer credential (T4)',
  async (method, path) => {
    const { key } = service
    const forms: Record<string, string>[] = [
      { authorization: key },
      { authorization: `Basic ${btoa(`user:${key}`)}` },
      { authorization: `Token ${key}` },
      { authorization: `Bearer ${key} ${key}` },
      { authorization: `Bearer ${key}, Bearer ${key}` },
      { authorization: `Bearer ${key.slice(0, -1)}` },
      { authorization: `Bearer ${key}x` },
      { authorization: `Bearer ${key.toUpperCase()}` },
      { authorization: `Bearer ${'x'.repeat(2000)}` },
      { authorization: 'Bearer' },
      { authorization: `Bearer ' OR 1=1 --` },
      { 'x-api-key': key },
      { 'api-key': key },
      { cookie: `api_key=${key}; authorization=${key}` },
      { 'proxy-authorization': `Bearer ${key}` },
    ]
    for (const headers of forms) expect((await call(method, path, headers)).status).toBe(401)
    expect((await call(method, `${path}?api_key=${key}`, {})).status).toBe(401)
    expect((await call(method, path, { authorization: `bearer  ${key}` })).status).toBe(200)
  },
)

test('a wrong key, a mistyped key, an unknown key and a revoked one get the same response (T5)', async () => {
  const flipped = service.key.slice(0, -1) + (service.key.endsWith('A') ? 'B' : 'A')
  const { post } = await setUp(service)
  const revoked = (await (await post('/keys', { name: 'revoked' })).json()) as IssuedPanelKey
  expect((await post(`/keys/${revoked.record.id}/revoke`)).status).toBe(200)
  const answers = await Promise.all(
    ['nonsense', flipped, generateApiKey(), revoked.key].map(async (key) => {
      const response = await call('POST', '/v1/chat', { authorization: `Bearer ${key}` })
      return [response.status, await response.text()]
    }),
  )
  expect(new Set(answers.map(String)).size).toBe(1)
})

test('HEAD needs a key wherever GET needs one (T3)', async () => {
  const head = (headers: Record<string, string>) => call('HEAD', '/v1/models', headers)
  expect((await head({})).status).toBe(401)
  expect((await head({ authorization: `Bearer ${service.key}` })).status).toBe(200)
})

test('a request with two Authorization headers is refused (T4)', async () => {
  const head = `Authorization: Bearer ${service.key}\r\n`
  expect(await rawStatus(`GET /v1/models HTTP/1.1\r\nHost: x\r\n${head}${head}\r\n`)).toBe(401)
  expect(await rawStatus(`GET /v1/models HTTP/1.1\r\nHost: x\r\n${head}\r\n`)).toBe(200)
})

test('401 comes before 400, 404, 413 and 415 (T13)', async () => {
  const bad: [string, string][] = [
    ['application/json', '{broken'],
    ['application/json', JSON.stringify({ model: 'other' })],
    ['application/json', 'x'.repeat(2_000_000)],
    ['text/plain', 'hi'],
  ]
  for (const [contentType, text] of bad) {
    const response = await fetch(`${service.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': contentType, authorization: 'Bearer wrong' },
      body: text,
    }).catch((error: unknown) => {
      // The service may close the socket without reading the body.
      expect(text.length).toBeGreaterThan(1_000_000)
      return error
    })
    if (response instanceof Response) expect(response.status).toBe(401)
  }
})

// Tries every registered route with every known path spelling that can bypass a guard.
test('no spelling of a path or host gets past the key check (T3)', async () => {
  const heads = [
    'X-Forwarded-Host: localhost',
    'X-Forwarded-Prefix: /healthz',
    'X-Original-URL: /healthz',
    'X-Rewrite-URL: /healthz',
    'X-Middleware-Subrequest: middleware',
    'X-HTTP-Method-Override: GET',
  ]
  const mutate = (path: string) => [
    path,
    `/${path}`,
    `${path}/`,
    `${path}//`,
    path.replace('/v1/', '/v1//'),
    path.replace('/v1/', '/v1%2f'),
    path.replace('/v1/', '/v1/./'),
    path.replace('/v1/', '/%761/'),
    `/healthz/..${path}`,
    `/healthz/%2e%2e${path}`,
    `${path};x`,
    `${path}%00`,
    path.toUpperCase(),
    `http://127.0.0.1${path}`,
    `${path}?healthz`,
    `${path}#healthz`,
    `/healthz;${path}`,
  ]
  for (const [method, path] of routes)
    for (const target of mutate(path))
      for (const head of ['', ...heads]) {
        const status = await rawStatus(
          `${method} ${target} HTTP/1.1\r\nHost: healthz.\r\n${head}${head === '' ? '' : '\r\n'}` +
            `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
        expect([401, 404, 400], `${method} ${target} ${head}`).toContain(status)
      }
})

test('malformed HTTP gets 400 and the connection ends (T28)', async () => {
  const key = `Authorization: Bearer ${service.key}\r\n`
  const corpus = [
    `POST /v1/chat HTTP/1.1\r\nHost: x\r\n${key}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /v1/chat HTTP/1.1\r\nHost: x\r\n${key}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde`,
    `GET /v1/models HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n`,
    `GET /v1/models HTTP/1.1\r\nHost: x\r\nhost: x\r\n${key}\r\n`,
    `GET /v1/models HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n`,
    `POST /v1/chat HTTP/1.1\r\nHost: x\r\n${key}Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n`,
    'NONSENSE\r\n\r\n',
  ]
  for (const text of corpus) expect(await rawStatus(text), JSON.stringify(text)).toBe(400)
  expect(
    await rawStatus(`GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`),
  ).toBe(431)
})
