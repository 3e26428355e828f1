import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TlsCertificate } from '../../../src/http/tls-certificate.ts'
import type { Logger } from '../../../src/telemetry/logger.ts'
import { send } from '../../support/http/send.ts'
import { admin } from '../../support/panel/panel.ts'
import {
  interruptCli,
  newDataDir,
  runCli,
  type ServeProcess,
  startProcess,
} from '../../support/process.ts'
import { openSocket } from '../../support/raw-http.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'
import { type KeyPair, selfSigned } from '../../support/tls/self-signed.ts'

const folder = mkdtempSync(join(tmpdir(), 'pipit-tls-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, { cert, key }: KeyPair) {
  const files = { certPath: join(folder, `${name}.pem`), keyPath: join(folder, `${name}.key`) }
  writeFileSync(files.certPath, cert)
  writeFileSync(files.keyPath, key)
  return files
}
const settingsOf = ({ certPath, keyPath }: { certPath: string; keyPath: string }) => ({
  PIPIT_TLS_CERT: certPath,
  PIPIT_TLS_KEY: keyPath,
})

/** Returns the serial number of the certificate that the service presents, or the error of the handshake. */
function handshake(url: string, options: { ca?: string; maxVersion?: 'TLSv1.1' } = {}) {
  const { port } = new URL(url)
  return new Promise<string>((resolve) => {
    const socket = connectTls({ port: Number(port), host: '127.0.0.1', ...options }, () => {
      resolve(socket.getPeerX509Certificate()?.serialNumber ?? 'none')
      socket.destroy()
    })
    socket.on('error', (error: Error & { code?: string }) => resolve(error.code ?? error.message))
  })
}
const serialOf = ({ cert }: KeyPair) => new X509Certificate(cert).serialNumber

describe('with a certificate (T59)', () => {
  const pair = selfSigned()
  const ca = pair.cert
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ environment: settingsOf(write('own', pair)) })
  })
  afterAll(() => service.close())
  const postJson = (path: string, body: object, headers: Record<string, string>) =>
    send(service.url + path, {
      ca,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  test('the service speaks https, and streams', async () => {
    expect(service.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const authorization = { authorization: `Bearer ${service.key}` }
    const { text } = await postJson(
      '/v1/chat/completions',
      { ...question, stream: true },
      authorization,
    )
    expect(text).toContain('data: [DONE]')
  })

  test("the panel's cookies are Secure and bound to the host (T12)", async () => {
    expect(service.setUpUrl).toMatch(/^https:/)
    const body = { ...admin, secret: service.setUpUrl?.split('#')[1] }
    const set = await postJson('/panel/api/setup', body, { origin: service.url })
    expect([set.status, set.cookies]).toEqual([
      200,
      [
        expect.stringMatching(
          /^__Host-pipit\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
        ),
      ],
    ])
    const cookie = set.cookies[0]?.split(';', 1)[0] ?? ''
    expect((await send(`${service.url}/panel/api/me`, { ca, headers: { cookie } })).status).toBe(
      200,
    )
    const http = service.url.replace('https', 'http')
    const other = await postJson('/panel/api/auth/sign-out', {}, { origin: http, cookie })
    expect(other.code).toBe('origin_not_allowed')
  })

  test('TLS 1.1 is refused', async () => {
    expect(await handshake(service.url, { ca })).toBe(serialOf(pair))
    expect(await handshake(service.url, { ca, maxVersion: 'TLSv1.1' })).toMatch(/^ERR_SSL_/)
  })

  test('plain HTTP and random bytes end their own connection only', async () => {
    const http = service.url.replace('https', 'http')
    for (const bytes of [
      'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
      '\x16\x03\x01garbage'.repeat(99),
    ])
      await new Promise<void>((resolve) => {
        const socket = openSocket(http).on('error', () => {})
        socket.on('close', () => resolve()).resume()
        socket.end(bytes)
      })
    expect((await send(`${service.url}/healthz`, { ca })).status).toBe(200)
  })

  test('bytes that are not HTTP get a 400 over TLS too', async () => {
    const reply = await new Promise<string>((resolve, reject) => {
      const { port } = new URL(service.url)
      let text = ''
      const socket = connectTls({ port: Number(port), host: '127.0.0.1', ca }, () =>
        socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n'),
      )
      socket.on('data', (bytes) => (text += bytes.toString('latin1')))
      socket.on('error', reject).on('close', () => resolve(text))
    })
    expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  })
})

describe('a renewed certificate', () => {
  const first = selfSigned('first')
  const second = selfSigned('second')
  let service: ServeProcess
  const files = write('renewed', first)
  beforeAll(async () => {
    service = await startProcess({
      ...settingsOf(files),
      PIPIT_ENGINE: 'scripted',
      PIPIT_LOG_LEVEL: 'info',
      PIPIT_PUBLIC_URL: 'https://pipit.example.com',
    })
  })
  afterAll(() => service.dispose())
  const logged = async (text: string) => {
    await expect.poll(() => service.output().stderr, { timeout: 10_000 }).toContain(text)
  }

  test('is used after SIGHUP for new connections; a broken file changes nothing', async () => {
    expect(await handshake(service.url, { ca: first.cert })).toBe(serialOf(first))
    write('renewed', { cert: second.cert, key: first.key })
    process.kill(service.pid, 'SIGHUP')
    await logged(`the key in ${files.keyPath} does not belong to the certificate`)
    expect(await handshake(service.url, { ca: first.cert })).toBe(serialOf(first))
    write('renewed', second)
    process.kill(service.pid, 'SIGHUP')
    await logged('the renewed TLS certificate is in use')
    expect(await handshake(service.url, { ca: second.cert })).toBe(serialOf(second))
    expect(await handshake(service.url, { ca: first.cert })).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  })

  test('does not change the printed commands, which use https and the public name', () => {
    const { stdout } = service
    expect(stdout).toMatch(/ on https:\/\/127\.0\.0\.1:\d+\n/)
    expect(stdout).toContain('curl https://pipit.example.com/v1/chat/completions')
    expect(stdout).toContain('https://pipit.example.com/setup#')
  })
})

test('SIGHUP does not end a service that starts', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  const dataDir = newDataDir()
  try {
    await once(taken, 'listening')
    const environment = {
      ...settingsOf(write('starting', selfSigned())),
      PIPIT_DATA_DIR: dataDir,
      PIPIT_ENGINE: 'scripted',
      PIPIT_PORT: String((taken.address() as AddressInfo).port),
      PIPIT_METRICS_PORT: '0',
      PIPIT_UNKNOWN: 'makes it print a line before it starts',
    }
    const { code, stderr } = await interruptCli(['serve'], environment, 'PIPIT_UNKNOWN', 'SIGHUP')
    expect([code, stderr]).toEqual([1, expect.stringContaining('in use')])
  } finally {
    taken.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('changed files are found without a signal, and each fault is logged once', async () => {
  const lines: string[] = []
  const note = (message: string) => void lines.push(message)
  const logger: Logger = { debug: note, info: note, warn: note, error: note }
  const first = selfSigned('first')
  const files = write('watched', first)
  const certificate = await TlsCertificate.open(files, logger)
  const server = (await import('node:tls')).createServer(certificate.options)
  try {
    certificate.follow(server, 5)
    const next = selfSigned('next')
    writeFileSync(files.certPath, next.cert)
    await expect.poll(() => lines).toEqual([expect.stringContaining('was not renewed')])
    await certificate.reload()
    writeFileSync(files.keyPath, next.key)
    await expect.poll(() => certificate.options.cert).toBe(next.cert)
    expect(lines.slice(1)).toEqual(['the renewed TLS certificate is in use'])
  } finally {
    certificate.close()
    server.close()
  }
})

describe('a certificate that cannot be used stops the start with one sentence', () => {
  const pair = selfSigned()
  const { certPath, keyPath } = write('good', pair)
  const broken = write('broken', { cert: pair.key, key: pair.cert })
  const other = write('other', selfSigned())
  const missing = join(folder, 'missing.pem')
  const cases: [string, { certPath: string; keyPath: string }, string][] = [
    [
      'a missing certificate',
      { certPath: missing, keyPath },
      `PIPIT_TLS_CERT: ${missing} cannot be`,
    ],
    ['a missing key', { certPath, keyPath: missing }, `PIPIT_TLS_KEY: ${missing} cannot be read`],
    [
      'a folder',
      { certPath: folder, keyPath },
      `PIPIT_TLS_CERT: ${folder} cannot be read (EISDIR).`,
    ],
    [
      'no certificate',
      { certPath: broken.certPath, keyPath },
      'holds no certificate in PEM format.',
    ],
    ['no key', { certPath, keyPath: broken.keyPath }, 'holds no private key in PEM format'],
    ['another key', { certPath, keyPath: other.keyPath }, `the key in ${other.keyPath} does not`],
  ]
  test.each(cases)('%s', async (_, files, message) => {
    const logger = { debug() {}, info() {}, warn() {}, error() {} }
    await expect(TlsCertificate.open(files, logger)).rejects.toThrow(message)
  })

  test('with exit code 1', async () => {
    const environment = {
      ...settingsOf({ certPath, keyPath: missing }),
      PIPIT_ENGINE: 'scripted',
      PIPIT_DATA_DIR: join(folder, 'data'),
      PIPIT_PORT: '0',
      PIPIT_METRICS_PORT: '0',
    }
    expect(await runCli(['serve'], environment)).toEqual({
      code: 1,
      stdout: '',
      stderr: `pipit: PIPIT_TLS_KEY: ${missing} cannot be read (ENOENT).\n`,
    })
  })
})

test('`pipit check` and `pipit chat` trust the certificate of NODE_EXTRA_CA_CERTS, and ask for it', async () => {
  const files = write('checked', selfSigned())
  const service = await startTestService({ environment: settingsOf(files) })
  const PIPIT_API_KEY = service.key
  const { url } = service
  try {
    const message =
      `The certificate of ${url} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). ` +
      'Name the file of its authority, or its own, in NODE_EXTRA_CA_CERTS.'
    const commands = [
      ['check', url],
      ['check', url, '--limits', 'requests-per-minute=5'],
      ['chat', 'hi', '--url', url],
    ]
    for (const args of commands) {
      const { code, stderr } = await runCli(args, { PIPIT_API_KEY })
      expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
        args[0] === 'chat' ? 1 : 2,
        `pipit: ${message}`,
      ])
    }
    const environment = { PIPIT_API_KEY, NODE_EXTRA_CA_CERTS: files.certPath }
    const trusted = await runCli(['check', url], environment)
    expect([trusted.stdout, trusted.stderr]).toEqual([
      expect.stringMatching(/^ok +contract +stream\.done /m),
      '',
    ])
    expect((await runCli(['chat', 'hi', '--url', url], environment)).code).toBe(0)
  } finally {
    await service.close()
  }
})
