import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readBody } from '../request/body/read-body.ts'
import { answerMalformed } from './client-error.ts'

const headersTimeoutMs = 200
const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

let server: Server
beforeEach(async () => {
  const timeouts = { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 50 }
  server = createServer(timeouts, (_, response) => response.end())
  server.on('clientError', (error, socket) => answerMalformed(error, socket as Socket, false))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Opens a connection, and waits until the server has it. */
async function open(): Promise<Socket> {
  const accepted = once(server, 'connection')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await Promise.all([once(socket, 'connect'), accepted])
  return socket
}

/** Returns what arrives until the connection closes. */
async function readAll(socket: Socket): Promise<string> {
  let text = ''
  for await (const bytes of socket) text += String(bytes)
  return text
}

describe('a connection whose client takes too long', () => {
  test('is closed without a response if nothing has arrived', async () => {
    expect(await readAll(await open())).toBe('')
  })

  test('gets 408 if a part of the headers has arrived', async () => {
    const socket = await open()
    socket.write(request.slice(0, 20))
    expect(await readAll(socket)).toContain('HTTP/1.1 408')
  })

  test('gets 408 if a part of the body has arrived, and its request ends with that error', async () => {
    const reading = Promise.withResolvers<unknown>()
    server.requestTimeout = headersTimeoutMs
    server.removeAllListeners('request').on('request', (incoming) => {
      const bounds = { bytesMax: 100, onBytes: undefined }
      readBody(incoming, bounds).catch((error: unknown) => reading.resolve(error))
    })
    const socket = await open()
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc')
    expect(await readAll(socket)).toContain('HTTP/1.1 408')
    expect(await reading.promise).toMatchObject({ code: 'request_timeout' })
  })

  test('gets its reply if the request arrived while the process stalled (F19)', async () => {
    const socket = await open()
    socket.write(request.replace('Host', 'Connection: close\r\nHost'))
    const endMs = performance.now() + 3 * headersTimeoutMs
    while (performance.now() < endMs);
    expect(await readAll(socket)).toContain('HTTP/1.1 200')
  })
})
