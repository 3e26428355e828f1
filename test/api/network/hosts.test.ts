import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admin, setUp } from '../../support/panel/panel.ts'
import { send } from '../../support/http/send.ts'
import { rawStatus } from '../../support/raw-http.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { recordFinding } from '../../support/reliability.ts'

const page = (service: TestService, host: string, headers: Record<string, string> = {}) =>
  send(`${service.url}/panel/api/setup`, { headers: { host, ...headers } })
const metrics = (service: TestService, host: string) =>
  send(service.metricsUrl, { headers: { host } })
/** Signs in like a page of `origin` that reaches the service by the host name `host`. */
const signIn = (service: TestService, host: string, origin: string, headers = {}) =>
  send(`${service.url}/panel/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { host, origin, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email: admin.email, password: admin.password }),
  })

const foreign = [
  'evil.example:8080',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evil-localhost',
  'localhost@evil.example',
  'localhost:8080@evil.example',
  '[::1].evil.example',
  '[evil.example]',
  '127.1',
  '..localhost',
  '.localhost',
  'localhost..',
  'localhost, evil.example',
  'localhost/evil.example',
  `${hostname()}.evil.example`,
]
const own = [
  'localhost',
  'LOCALHOST:8080',
  'localhost.',
  'pipit.localhost:8080',
  '127.0.0.1',
  '127.8.8.8:9000',
  '192.168.1.20:8080',
  '[::1]:8080',
  '[fe80::1]',
]

describe('without settings', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
    await setUp(service)
  })
  afterAll(() => service.close())

  test.each(foreign)(
    'a page that reaches the service as "%s" gets no set-up, sign-in or metrics (T58)',
    async (host) => {
      expect((await page(service, host)).code).toBe('host_not_allowed')
      const refused = await signIn(service, host, `http://${host}`)
      expect([refused.status, refused.code]).toEqual([403, 'host_not_allowed'])
      const { status, text } = await metrics(service, host)
      expect([status, text]).toEqual([403, expect.stringContaining('PIPIT_ALLOWED_HOSTS')])
    },
  )

  test.each(own)('%s is a name of the service', async (host) => {
    expect((await page(service, host)).status).toBe(200)
    expect((await signIn(service, host, `http://${host}`)).status).toBe(200)
    expect((await metrics(service, host)).status).toBe(200)
  })

  test('the API and the probes answer under every name, since a key protects the API', async () => {
    const host = 'api.example.com'
    const authorization = `Bearer ${service.key}`
    const { status } = await send(`${service.url}/v1/models`, { headers: { host, authorization } })
    expect(status).toBe(200)
    for (const path of ['/healthz', '/readyz', '/docs', '/docs/errors', '/openapi.json'])
      expect([path, (await send(service.url + path, { headers: { host } })).status]).toEqual([
        path,
        200,
      ])
  })

  test('a request without a host name is refused', async () => {
    for (const head of ['HTTP/1.0', 'HTTP/1.1\r\nHost:']) {
      expect(await rawStatus(service.url, `GET / ${head}\r\n\r\n`)).toBe(403)
      expect(await rawStatus(service.metricsUrl, `GET /metrics ${head}\r\n\r\n`)).toBe(403)
    }
  })

  test('a forwarded name does not make a foreign one the own (T58)', async () => {
    const forwarded = { 'x-forwarded-host': 'localhost', 'x-forwarded-proto': 'http' }
    expect((await page(service, 'evil.example', forwarded)).code).toBe('host_not_allowed')
    const attempt = await signIn(service, 'evil.example', 'http://localhost', forwarded)
    expect(attempt.code).toBe('host_not_allowed')
    recordFinding(
      'T58',
      `${foreign.length} foreign host names, and one with forged headers of a proxy, got 403.`,
    )
  })
})

test('the names of PIPIT_PUBLIC_URL and PIPIT_ALLOWED_HOSTS are allowed, and no others', async () => {
  const service = await startTestService({
    environment: {
      PIPIT_PUBLIC_URL: 'https://pipit.example.com',
      PIPIT_ALLOWED_HOSTS: 'pipit, Chat.Intern',
    },
  })
  try {
    for (const host of ['pipit.example.com', 'pipit:9090', 'chat.intern', 'localhost'])
      expect([host, (await page(service, host)).status]).toEqual([host, 200])
    expect((await metrics(service, 'pipit:9464')).status).toBe(200)
    for (const host of ['example.com', 'www.pipit.example.com', 'pipit.evil.example'])
      expect([host, (await page(service, host)).code]).toEqual([host, 'host_not_allowed'])
    expect((await signIn(service, 'pipit', 'http://pipit')).code).toBe('origin_not_allowed')
    const ofPublicUrl = await signIn(service, 'pipit', 'https://pipit.example.com')
    expect(ofPublicUrl.code).toBe('invalid_credentials')
  } finally {
    await service.close()
  }
})

test('behind a trusted proxy, the forwarded name and scheme count', async () => {
  const service = await startTestService({
    environment: { PIPIT_TRUSTED_PROXIES: '127.0.0.1', PIPIT_ALLOWED_HOSTS: 'chat.example.com' },
  })
  try {
    const forwarded = { 'x-forwarded-host': 'chat.example.com', 'x-forwarded-proto': 'https' }
    const { url } = service
    expect((await page(service, 'upstream', forwarded)).status).toBe(200)
    expect((await signIn(service, 'upstream', 'https://chat.example.com', forwarded)).code).toBe(
      'invalid_credentials',
    )
    const foreign = [
      await signIn(service, 'upstream', 'http://chat.example.com', forwarded),
      await signIn(service, new URL(url).host, url, forwarded),
    ]
    expect(foreign.map(({ code }) => code)).toEqual(['origin_not_allowed', 'origin_not_allowed'])
    const evil = { 'x-forwarded-host': 'localhost, evil.example' }
    expect((await page(service, 'localhost', evil)).code).toBe('host_not_allowed')
  } finally {
    await service.close()
  }
})
