import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeServer } from './close-server.ts'
import { Connections } from './connections.ts'
import { createHttpServer } from './http-server.ts'

/** More than the buffers of both sockets take. */
const large = Buffer.alloc(30_000_000, 'x')
const minuteMs = 60_000

let app: Awaited<ReturnType<typeof serve>>
const sockets: Socket[] = []
beforeEach(async () => {
  app = await serve()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await app.close()
})

async function serve() {
  const connections = new Connections({
    connectionsMax: 10,
    perAddressMax: 10,
    isTrustedProxy: () => false,
  })
  const server = Fastify({
    serverFactory: (answer) => createHttpServer(connections, answer),
    forceCloseConnections: 'idle',
  }).decorate('connections', connections)
  server.get('/', () => large)
  server.post('/', () => 'received')
  await server.listen({ port: 0, host: '127.0.0.1' })
  return server
}

/** Sends a request on a new connection, which reads one packet, then nothing until `read` is called. */
async function open(text: string) {
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1' })
  sockets.push(socket)
  let isReading = false
  const read = () => {
    isReading = true
    socket.resume()
  }
  const client = { bytes: 0, isClosed: false, read }
  socket.on('error', () => {}).on('close', () => (client.isClosed = true))
  socket.on('data', ({ length }) => {
    client.bytes += length
    if (!isReading) socket.pause()
  })
  socket.write(text)
  await new Promise((resolve) => socket.once('connect', resolve))
  return client
}

const reads = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

test('a stop waits within the grace period for a client that still reads its response', async () => {
  const reader = await open(reads)
  await expect.poll(() => reader.bytes).toBeGreaterThan(0)
  const uploader = await open('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n')
  const closed = closeServer(app, minuteMs, 100)
  await expect.poll(() => uploader.isClosed).toBe(true)
  reader.read()
  await closed
  await expect.poll(() => reader.isClosed).toBe(true)
  expect(reader.bytes).toBeGreaterThan(large.length)
})

test('a stop cuts a client that does not read its response when the grace period is over', async () => {
  const reader = await open(reads)
  await expect.poll(() => reader.bytes).toBeGreaterThan(0)
  await closeServer(app, 200, 100)
  reader.read()
  await expect.poll(() => reader.isClosed).toBe(true)
  expect(reader.bytes).toBeLessThan(large.length)
})
