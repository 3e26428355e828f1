import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { Connections } from '../../../src/http/connections/connections.ts'
import { createHttpServer } from '../../../src/http/connections/http-server.ts'
import { pipelinedRequestsMax } from '../../../src/limits.ts'
import { selfSigned } from '../../support/tls/self-signed.ts'

const tls = selfSigned()
const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const soon = { timeout: 20_000 }

let server: Server
let cuts: string[]
let open: number
const sockets: Socket[] = []

/** Starts the server. A response that its client does not read for `unreadMs` ends the connection. */
async function listen(unreadMs: number): Promise<void> {
  cuts = []
  open = 0
  const connections = new Connections({
    connectionsMax: 3,
    perAddressMax: 3,
    isTrustedProxy: () => false,
    onCount: (count) => (open = count),
    onCut: (reason) => cuts.push(reason),
  })
  const answer = Buffer.alloc(30_000_000)
  server = createHttpServer(connections, (_, response) => response.end(answer), {
    tls,
    unreadMs,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

/** Opens a connection, and waits for the TCP handshake, and the TLS handshake if `isSecure`. */
async function openSocket(isSecure: boolean): Promise<Socket> {
  const { port } = server.address() as AddressInfo
  const socket = isSecure
    ? connectTls({ port, host: '127.0.0.1', ca: tls.cert })
    : connect(port, '127.0.0.1')
  sockets.push(socket.on('error', () => {}))
  await once(socket, isSecure ? 'secureConnect' : 'connect')
  return socket
}

test('over TLS, too many unanswered requests end the connection (T13, T14, T45)', async () => {
  await listen(200)
  const socket = await openSocket(true)
  socket.write(request.repeat(pipelinedRequestsMax + 1))
  await once(socket.resume(), 'close')
  expect([cuts, open]).toEqual([['pipelined'], 0])
})

test('over TLS, an unread response ends the connection (T14, F10, T45)', async () => {
  await listen(200)
  const socket = await openSocket(true)
  socket.write(request)
  await expect.poll(() => cuts, soon).toEqual(['unread'])
  expect(open).toBe(0)
})

test('connections without a handshake or a request make place for others (T14, T46)', async () => {
  // Long enough that the three requests keep their places, although the client does not read the responses.
  await listen(60_000)
  const idle = await openSocket(true)
  const silent = [await openSocket(false), await openSocket(false)]
  await expect.poll(() => open, soon).toBe(3)
  const closed = [idle, ...silent].map((socket) => once(socket.resume(), 'close'))
  for (let i = 0; i < 3; i += 1) (await openSocket(true)).write(request)
  await Promise.all(closed)
  expect(cuts.filter((reason) => reason === 'replaced')).toHaveLength(3)
})
