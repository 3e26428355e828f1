import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { errorCatalogue } from '../../../src/http/reply/error-response.ts'
import { codeOf } from '../../support/error-of.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ environment: { PIPIT_CONTEXT_TOKENS: '4096' } })
})
afterAll(() => service.close())

describe('before the body', () => {
  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=utf-8', 200],
  ])('content type %s gets %i', async (contentType, status) => {
    const response = await service.post(JSON.stringify(question), {
      headers: { 'content-type': contentType },
    })
    expect(response.status).toBe(status)
  })

  test('a body of 2 MB is refused, announced or chunked (T13)', async () => {
    const body = { ...question, messages: [{ role: 'user', content: 'x'.repeat(2_000_000) }] }
    const announced = await service.post(body)
    expect([announced.status, ((await announced.json()) as { error: object }).error]).toMatchObject(
      [413, { code: 'request_too_large' }],
    )
    // A client that still sends would get a reset instead of the error if the connection were closed.
    expect(announced.headers.get('connection')).not.toBe('close')
    const chunked = await service
      .request('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new Blob([JSON.stringify(body)]).stream(),
        duplex: 'half',
      } as RequestInit)
      .then((response) => response.status)
    expect(chunked).toBe(413)
  })

  test('a malformed or too long path gets a normal error response', async () => {
    const cases: [string, number, string][] = [
      ['/v1/models/%zz', 400, 'bad_request'],
      ['/v1/requests/%F0', 400, 'bad_request'],
      [`/v1/models/${'a'.repeat(300)}`, 404, 'unknown_url'],
    ]
    for (const [path, status, code] of cases) {
      const response = await service.request(path)
      expect([response.status, await response.json()]).toEqual([
        status,
        {
          error: { message: expect.any(String), type: 'invalid_request_error', param: null, code },
        },
      ])
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
      expect(response.headers.get('x-processing-ms')).toMatch(/^\d+$/)
    }
  })

  test('the segments of a long path are read once', async () => {
    const split = vi.spyOn(String.prototype, 'split')
    try {
      const response = await service.request('/'.repeat(15_000))
      expect(await codeOf(response)).toEqual([404, 'unknown_url'])
      const parts = split.mock.results.map(({ value }) => (value as string[]).length)
      expect(parts.reduce((sum, count) => sum + count, 0)).toBeLessThan(2 * 15_000)
    } finally {
      split.mockRestore()
    }
  })

  test('another method gets 405 with Allow, another path gets 404', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await service.request('/v1/chat/completions', { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
      expect(await response.json()).toMatchObject({ error: { code: 'method_not_supported' } })
    }
    expect((await service.post({}, { path: '/v1/models' })).headers.get('allow')).toBe('GET, HEAD')
    for (const path of [
      '/',
      '/v1',
      '/v1/completions',
      '/v1/chat/completions/',
      '/V1/CHAT/COMPLETIONS',
    ]) {
      const response = await service.post('not json', {
        path,
        headers: { 'content-type': 'text/plain' },
      })
      expect([path, response.status]).toEqual([path, 404])
      expect(await response.json()).toMatchObject({ error: { code: 'unknown_url', param: null } })
    }
  })
})

// LiteLLM, for example, chooses its exception class by the first words of the message.
test('an error of a key or of a long prompt begins with the words by which clients classify it', async () => {
  const long = [{ role: 'user', content: 'word '.repeat(5000) }]
  const errors = [
    await service.post(question, { key: null }),
    await service.post(question, { key: 'nonsense' }),
    await service.post(question, { key: `${service.key}x` }),
    await service.post({ ...question, messages: long }),
  ]
  const messages = errors.map(async (response) => {
    const { error } = (await response.json()) as { error: { message: string } }
    return error.message
  })
  expect(await Promise.all(messages)).toEqual([
    expect.stringMatching(/^Incorrect API key provided\b/),
    expect.stringMatching(/^Incorrect API key provided\b/),
    expect.stringMatching(/^Incorrect API key provided\b/),
    expect.stringMatching(/^This model's maximum context length is 4096 tokens\. .* 5004 tokens/),
  ])
})

test('docs/api.md lists every error of the catalogue, with its status and type', () => {
  const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\|[^|]*\| (\d{3}) \| (\w+) \| (\w+) \|$/gm)].map(
    ([, status, type, code]) => [code, { status: Number(status), type }],
  )
  expect(Object.fromEntries(documented)).toEqual(errorCatalogue)
})
