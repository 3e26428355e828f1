import dns from 'node:dns'
import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { selfSigned } from '../../../../test/support/tls/self-signed.ts'
import { trustCertificate } from '../../../../test/support/tls/trust-certificate.ts'
import { upstreamTimeouts } from '../upstream-limits.ts'
import { Connections, readText } from './send.ts'

/** Starts a server that passes each request on a connection to `answer`. Returns its URL. */
async function startServer(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => socket.on('data', () => answer(socket)))
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function openConnections(timeouts: Partial<typeof upstreamTimeouts> = {}): Connections {
  const connections = new Connections({ ...upstreamTimeouts, ...timeouts })
  onTestFinished(() => connections.close())
  return connections
}

const noAbort = new AbortController().signal

test('an upstream that switches protocols, which was not asked for, has lost the request', async () => {
  const switching =
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'
  const url = await startServer((socket) => socket.write(switching))
  const sending = openConnections().send({ url, headers: {} }, noAbort)
  await expect(sending).rejects.toMatchObject({ kind: 'lost' })
}, 5000)

test.for(['127.0.0.1', 'localhost'])(
  'while this process is blocked, the time to connect to %s does not run out',
  async (host) => {
    const url = await startServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    )
    const connections = openConnections({ connectMs: 500 })
    const { port } = new URL(url)
    const sending = connections.send({ url: `http://${host}:${port}`, headers: {} }, noAbort)
    blockFor(1000)
    expect((await sending).statusCode).toBe(200)
  },
)

test('an upstream whose name is not resolved in time is unreachable', async () => {
  const lookup = vi.spyOn(dns, 'lookup').mockReturnValue()
  onTestFinished(() => lookup.mockRestore())
  const connections = openConnections({ connectMs: 200 })
  const sending = connections.send({ url: 'http://engine.test', headers: {} }, noAbort)
  const reason = 'no connection in time'
  await expect(sending).rejects.toMatchObject({ kind: 'unreachable', reason })
}, 5000)

test('an upstream that does not finish the TLS handshake in time is unreachable, and was sent nothing', async () => {
  const url = await startServer(() => {})
  const attempts = { breaks: 0, isSent: false }
  const connections = openConnections({ connectMs: 200, firstByteMs: 3000 })
  const exchange = { url: url.replace('http:', 'https:'), headers: {}, attempts }
  const reason = 'no connection in time'
  await expect(connections.send(exchange, noAbort)).rejects.toMatchObject({
    kind: 'unreachable',
    reason,
  })
  expect(attempts).toEqual({ breaks: 0, isSent: false })
}, 5000)

test('an upstream whose certificate is not trusted is unreachable, with a reason that names the certificate', async () => {
  const { url } = await startHttps()
  const attempts = { breaks: 0, isSent: false }
  const sending = openConnections().send({ url, headers: {}, attempts }, noAbort)
  await expect(sending).rejects.toMatchObject({
    kind: 'unreachable',
    reason:
      'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): check NODE_EXTRA_CA_CERTS',
  })
  expect(attempts).toEqual({ breaks: 0, isSent: false })
})

test('an upstream with a trusted certificate gets several requests on one connection', async ({
  skip,
}) => {
  const { url, cert } = await startHttps()
  trustCertificate(cert, skip)
  const connections = openConnections({ connectMs: 1000 })
  const ports = new Set<string>()
  for (let turn = 0; turn < 3; turn++) {
    const attempts = { breaks: 0, isSent: false }
    const response = await connections.send({ url, headers: {}, attempts }, noAbort)
    expect(attempts.isSent).toBe(true)
    ports.add(await readText(response))
  }
  expect(ports.size).toBe(1)
})

/** Starts a server that replies with the port of the client. */
async function startHttps(): Promise<{ url: string; cert: string }> {
  const pair = selfSigned()
  const server = createHttpsServer(pair, ({ socket }, response) => {
    response.end(String(socket.remotePort))
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, cert: pair.cert }
}

function blockFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
