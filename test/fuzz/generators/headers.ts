import type { Draft } from './draft.ts'
import type { Random } from './random.ts'

const body = '{"model":"svc-o1-mini","messages":[{"role":"user","content":"Hi"}],"max_tokens":2}'
const usual = ['Content-Type: application/json', `Content-Length: ${body.length}`]

/** Sends a valid body with hostile headers, or a hostile request line. Every request is complete, so that none waits. */
export function hostileHeaders(random: Random): Draft {
  return random.oneOf<Draft>(
    () => ({
      body,
      headers: [...usual, ...random.list(random.integer(1, 3), () => header(random))],
    }),
    () => ({ body, headers: [header(random), ...usual] }),
    () => ({ body, headers: [contentType(random), `Content-Length: ${body.length}`] }),
    () => ({
      body: chunked(random),
      headers: ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    }),
    () => ({ body, headers: usual, requestLine: requestLine(random) }),
    () => ({
      body,
      headers: [...usual, ...random.list(random.magnitude(400), (i) => `X-${i}: ${i}`)],
    }),
    () => ({ body: '', headers: usual.slice(0, 1), requestLine: `GET ${path(random)} HTTP/1.1` }),
  )
}

const values = [
  '',
  ' ',
  'a',
  '*/*',
  'text/event-stream',
  'null',
  '__proto__',
  '../../etc/passwd',
  'a'.repeat(300),
  'a'.repeat(15_000),
  '"',
  ',,,,',
  ';;;;',
  'é',
  '\x80\xff',
  '\t',
  '0',
  '-1',
  '99999999999999999999',
  'chunked',
  'identity',
  'gzip',
  '100-continue',
  'bytes=0-1',
  'keep-alive',
  'upgrade',
  'h2c',
  'websocket',
  'a=b; '.repeat(500),
  `Bearer ${'x'.repeat(600)}`,
  "' OR 1=1 --",
  'http://evil.example',
  '${jndi:ldap://x}',
]
const names = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Origin',
  'Referer',
  'Cookie',
  'Idempotency-Key',
  'If-None-Match',
  'Range',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Request-Id',
  'X-Stainless-Retry-Count',
  '__proto__',
  'constructor',
  'Host',
  'Authorization',
  'Content-Length',
  'Content-Type',
  'Content-Encoding',
  'Expect',
  'Upgrade',
  'TE',
  'Trailer',
  'Connection',
  'Via',
  'Forwarded',
  'X-Original-Url',
  'Date',
  ':path',
  'a b',
  'a\0b',
  '',
  'x'.repeat(200),
]

function header(random: Random): string {
  return `${random.pick(names)}: ${random.pick(values)}`
}

function contentType(random: Random): string {
  const type = random.pick([
    'application/json',
    'Application/JSON',
    'text/plain',
    'multipart/form-data',
    'application/json+x',
    '',
    '/',
    'application',
  ])
  const parameter = random.pick([
    '',
    ';',
    '; charset=utf-8',
    '; charset=utf-16',
    '; charset="',
    '; '.repeat(2000),
    '; boundary=x',
    ';charset=utf-8;charset=x',
    '\x01',
  ])
  return `Content-Type: ${type}${parameter}`
}

const targets = [
  '/v1/chat/completions',
  '/v1/chat',
  '/v1/models',
  '/v1/models/svc-o1-mini',
  '/v1/key',
  '/v1/requests',
  '/v1/requests/req_0',
  '/healthz',
  '/readyz',
  '/docs',
  '/openapi.json',
  '/',
  '/panel/api/me',
  '/assets/x',
]
const methods = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'get',
  'X',
  'CONNECT',
  '',
]

function path(random: Random): string {
  const base = random.pick(targets)
  return (
    base +
    random.pick([
      '',
      '/',
      '//',
      '/..',
      '%00',
      '%',
      '%ff',
      '?',
      '?a=b&a=c',
      '?limit=1e999',
      '?limit=-1',
      '?after=%00',
      '?__proto__=1',
      `?${'a=1&'.repeat(2000)}`,
      `?limit=${'9'.repeat(1000)}`,
      '?after=req_0&after=req_1',
      `/${'a'.repeat(300)}`,
      '#x',
      ';x',
      '?limit=%F0%9F',
    ])
  )
}

function requestLine(random: Random): string {
  return `${random.pick(methods)} ${path(random)} HTTP/${random.pick(['1.1', '1.1', '1.1', '1.0', '0.9', '2.0', 'x'])}`
}

function chunked(random: Random): string {
  const size = body.length.toString(16)
  return random.oneOf(
    () => `${size}\r\n${body}\r\n0\r\n\r\n`,
    () => `${size};${'x'.repeat(random.magnitude(20_000))}\r\n${body}\r\n0\r\n\r\n`,
    () =>
      `${body
        .split('')
        .map((char) => `1\r\n${char}\r\n`)
        .join('')}0\r\n\r\n`,
    () => `${size}\r\n${body}\r\n0\r\nX-Trailer: ${'a'.repeat(random.magnitude(5000))}\r\n\r\n`,
    () => `-1\r\n${body}\r\n0\r\n\r\n`,
    () => `fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`,
    () => `0x${size}\r\n${body}\r\n0\r\n\r\n`,
    () => `zz\r\n${body}\r\n0\r\n\r\n`,
  )
}
