import { METHODS } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectionsGraceMs, headersCountMax } from '../../../src/limits.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { openSocket, rawStatus, rawText } from '../../support/raw-http.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ environment: { PIPIT_CONTEXT_TOKENS: '256' } })
})
afterAll(() => service.close())

const head = () =>
  `POST /v1/chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json\r\n`

test('a body of 10 GiB is refused by its Content-Length, before it is sent (T13)', async () => {
  expect(await rawStatus(service.url, `${head()}Content-Length: 10737418240\r\n\r\n{`)).toBe(413)
})

test('an endless body is cut off at the size limit (T13)', async () => {
  const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
  const sent = await new Promise<number>((resolve) => {
    const socket = openSocket(service.url)
    let chunks = 0
    const write = () => {
      while (!socket.destroyed && socket.write(chunk)) chunks += 1
    }
    socket.write(`${head()}Transfer-Encoding: chunked\r\n\r\n`)
    socket.on('drain', write)
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.on('close', () => resolve(chunks))
    write()
  })
  // The limit is one megabyte, or 16 chunks. The socket buffers on both sides take the other chunks.
  expect(sent).toBeLessThan(400)
})

test('too large or too many headers get 431 (T13)', async () => {
  const large = `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(1_000_000)}\r\n\r\n`
  const many = `GET /healthz HTTP/1.1\r\nHost: x\r\n${'X: 1\r\n'.repeat(10_000)}\r\n`
  for (const text of [large, many]) expect(await rawStatus(service.url, text)).toBe(431)
})

test('a request has all of its headers, or it is refused (T13)', async () => {
  const get = (count: number) => {
    const others = 'X: 1\r\n'.repeat(count - 3)
    const last = `Authorization: Bearer ${service.key}\r\n`
    return rawText(
      service.url,
      `GET /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${others}${last}\r\n`,
    )
  }
  expect(await get(headersCountMax)).toMatch(/^HTTP\/1\.1 200 /)
  for (const count of [headersCountMax + 1, 2_000]) {
    const refused = await get(count)
    expect(refused).toMatch(/^HTTP\/1\.1 431 /)
    expect(refused).toMatch(/^x-request-id: req_/m)
    expect(JSON.parse(refused.split('\r\n\r\n')[1] ?? '')).toEqual({
      error: {
        message: `The request has ${count} headers. Send at most 100.`,
        type: 'invalid_request_error',
        param: null,
        code: 'headers_too_large',
      },
    })
  }
})

test.each([
  ['large headers', 431, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['bad HTTP', 400, 'BROKEN\r\n\r\n'],
])('%s on a connection that has had a response get %i too', async (_, status, text) => {
  const { socket, statuses } = openAndRead(service.url)
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(statuses).toEqual([200])
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(text)
  await closed
  expect(statuses()).toEqual([200, status])
})

test.each([
  ['a stream', true, [200], 'BROKEN\r\n\r\n'],
  ['a whole reply', false, [], 'BROKEN\r\n\r\n'],
  ['a stream', true, [200], 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n'],
])(
  'what cannot be answered during %s ends it without another response',
  async (_, stream, expected, text) => {
    const engine = scriptedEngine({ gate: new ReplyGate().gate })
    const own = await startTestService({ engine })
    try {
      const { socket, statuses } = openAndRead(own.url)
      const closed = new Promise((resolve) => socket.once('close', resolve))
      const body = JSON.stringify({ ...question, stream })
      socket.write(
        `POST /v1/chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      await expect.poll(() => engine.stats().slotsBusy).toBe(1)
      await expect.poll(statuses).toEqual(expected)
      socket.write(text)
      await closed
      expect(statuses()).toEqual(expected)
    } finally {
      await own.close()
    }
  },
)

test('CONNECT gets 405, which says that no method is allowed', async () => {
  const socket = openSocket(service.url)
  let received = ''
  socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n')
  await closed
  expect(received).toMatch(/^HTTP\/1\.1 405 [^]*\r\nallow: \r\n/)
})

/** Opens a connection. `statuses` returns the statuses of the responses so far. */
function openAndRead(url: string) {
  const socket = openSocket(url).on('error', () => {})
  let received = ''
  socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')))
  const statuses = () =>
    [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return { socket, statuses }
}

test('every method that HTTP has gets 405 on a path of another method, and 404 elsewhere (T3)', async () => {
  for (const method of METHODS.filter((name) => name !== 'CONNECT' && name !== 'OPTIONS'))
    for (const [path, expected] of [
      ['/v1/chat/completions', method === 'POST' ? 401 : 405],
      ['/v1/nothing', 404],
    ] as const)
      expect([
        method,
        await rawStatus(service.url, `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
      ]).toEqual([method, expected])
})

function latin1(body: object): Uint8Array<ArrayBuffer> {
  return Buffer.from(JSON.stringify(body), 'latin1')
}

// Unusual JSON must neither crash the process nor change a prototype.
test.each<[string, string | Uint8Array<ArrayBuffer>, number]>([
  [
    '19,000 keys',
    JSON.stringify({
      ...question,
      ...Object.fromEntries(Array.from({ length: 19_000 }, (_, i) => [i, 1])),
    }),
    200,
  ],
  [
    '21,000 keys',
    JSON.stringify({
      ...question,
      ...Object.fromEntries(Array.from({ length: 21_000 }, (_, i) => [i, 1])),
    }),
    400,
  ],
  [
    'keys that look like numbers',
    `{${Array.from({ length: 50_000 }, (_, i) => `"${i * 2 ** 16}":0`).join()}}`,
    400,
  ],
  [
    'a key twice: the last one counts',
    '{"model":"x","model":"svc-o1-mini","messages":[{"role":"user","content":"Hi"}]}',
    200,
  ],
  [
    'half of a surrogate pair',
    '{"model":"svc-o1-mini","messages":[{"role":"user","content":"\\ud800 and \\u0000"}]}',
    200,
  ],
  ['a byte order mark', `\ufeff${JSON.stringify(question)}`, 200],
  ['bytes that are no UTF-8', latin1({ ...question, user: '\u00c3(' }), 400],
  [
    'a number out of all bounds',
    '{"model":"svc-o1-mini","messages":[{"role":"user","content":"Hi"}],"seed":9007199254740993}',
    400,
  ],
  [
    'minus zero',
    '{"model":"svc-o1-mini","messages":[{"role":"user","content":"Hi"}],"temperature":-0}',
    200,
  ],
  ['a constructor', '{"constructor":{"prototype":{"polluted":1}},"messages":[]}', 400],
  ['an array a million deep', `${'['.repeat(1_000_000)}`, 400],
])('%s gets its status (T15)', async (_name, body, status) => {
  const headers = { 'content-type': 'application/json' }
  // Not `post`, which would write the bytes of an array as JSON.
  const response = await service.request('/v1/chat', { method: 'POST', headers, body })
  expect([response.status, ({} as Record<string, unknown>).polluted]).toEqual([status, undefined])
  await response.text()
})

test('a header named __proto__ is treated as a normal header (T16)', async () => {
  const text = `GET /healthz HTTP/1.1\r\nHost: x\r\n__proto__: polluted\r\nconstructor: polluted\r\n\r\n`
  expect(await rawStatus(service.url, text)).toBe(200)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('a request without a Host gets an error with a code and an id', async () => {
  const reply = await rawText(service.url, 'GET /v1/models HTTP/1.1\r\nConnection: close\r\n\r\n')
  expect(reply).toMatch(/^HTTP\/1\.1 400 /)
  expect(reply).toMatch(/^x-request-id: req_/m)
  expect(reply).toContain('"code":"bad_request"')
})

test('a prompt may fill the context window of 256 tokens up to the last token (T19)', async () => {
  const completion = async (words: number) =>
    service.post({ ...question, messages: [{ role: 'user', content: 'w '.repeat(words).trim() }] })
  const { usage } = (await (await completion(1)).json()) as { usage: { prompt_tokens: number } }
  const fits = 255 - (usage.prompt_tokens - 1)
  const full = await completion(fits)
  expect([full.status, await full.json()]).toMatchObject([
    200,
    { choices: [{ finish_reason: 'length' }], usage: { prompt_tokens: 255, completion_tokens: 1 } },
  ])
  const over = await completion(fits + 1)
  expect([over.status, await over.json()]).toMatchObject([
    400,
    {
      error: {
        code: 'context_length_exceeded',
        message: expect.stringMatching(/is 256 tokens\. .* 256 tokens/),
      },
    },
  ])
})

test('a connection without a request does not delay a shutdown', async () => {
  const own = await startTestService()
  const socket = openSocket(own.url)
  await new Promise((resolve) => socket.once('connect', resolve))
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.resume().on('error', () => {})
  const stoppedMs = performance.now()
  await own.close()
  await ended
  // A shutdown that waited for the connection would take the whole grace period.
  expect(performance.now() - stoppedMs).toBeLessThan(connectionsGraceMs)
}, 30_000)
