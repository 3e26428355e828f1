import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterEach, describe, expect, test } from 'vitest'
import { pipelinedRequestsMax } from '../../limits.ts'
import { SlowReaderError, SseWriter } from '../reply/sse.ts'
import { Connections } from './connections.ts'
import { createHttpServer } from './http-server.ts'

/** Long enough for a busy machine. */
const soon = { timeout: 20_000 }
const request = (path = '/') => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const close = { connection: 'close' }

let server: Server
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

type Limits = { connectionsMax?: number; perAddressMax?: number; unreadMs?: number }

/** Starts a server on loopback that trusts 127.0.0.9 as a proxy; `cuts` collects why connections were closed early. */
async function serve(
  answer: (...both: Parameters<RequestListener>) => unknown,
  limits: Limits = {},
) {
  const cuts: string[] = []
  const counts = { open: 0 }
  const connections = new Connections({
    connectionsMax: 100,
    perAddressMax: 100,
    ...limits,
    isTrustedProxy: (address) => address === '127.0.0.9',
    onCount: (open) => (counts.open = open),
    onCut: (reason) => cuts.push(reason),
  })
  server = createHttpServer(connections, (...both) => void answer(...both), limits)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { cuts, counts }
}

/** Opens a connection and collects the text it receives. */
async function open(text = '', localAddress = '127.0.0.1') {
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  const client = { socket, text: '', closed: false, localAddress }
  socket.on('data', (bytes) => (client.text += bytes.toString('latin1')))
  socket.on('error', () => {})
  socket.on('close', () => (client.closed = true))
  await new Promise((resolve) => socket.once('connect', resolve))
  if (text !== '') socket.write(text)
  return client
}
type Client = Awaited<ReturnType<typeof open>>

/** Opens connections one at a time, each after the server has counted the previous one. */
async function openAll(addresses: string[], counts: { open: number }): Promise<Client[]> {
  const clients: Client[] = []
  for (const address of addresses) {
    clients.push(await open('', address))
    await expect.poll(() => counts.open, soon).toBe(clients.length)
  }
  return clients
}

async function answered(client: Client, times = 1) {
  await expect.poll(() => client.text.split('HTTP/1.1 200').length - 1, soon).toBe(times)
}
async function isClosed(client: Client) {
  await expect.poll(() => client.closed, soon).toBe(true)
}
const pathsOf = (open: readonly [IncomingMessage, ServerResponse][]) => open.map(([{ url }]) => url)
const answerAtOnce: RequestListener = (_, response) => response.end('x')

test('a connection that the system cannot accept does not end the process', async () => {
  await serve(answerAtOnce)
  server.emit('error', new Error('accept ENOMEM'))
  await answered(await open(request()))
})

test('a connection without a request ends when the server closes', async () => {
  const { counts } = await serve((_, response) => response.end('x'))
  const client = await open()
  await expect.poll(() => counts.open).toBe(1)
  const closed = new Promise((resolve) => server.close(resolve))
  await isClosed(client)
  await closed
})

describe('pipelined requests', () => {
  test('are answered one after the other, and all of them', async () => {
    const started: [IncomingMessage, ServerResponse][] = []
    await serve((...both) => started.push(both))
    const client = await open(['/1', '/2', '/3'].map(request).join(''))
    for (const path of ['/1', '/2', '/3']) {
      await expect.poll(() => pathsOf(started), soon).toEqual([path])
      started.pop()?.[1].end(path)
    }
    await answered(client, 3)
    expect(client.text.match(/\/[123]$|\/[123](?=HTTP)/g)).toEqual(['/1', '/2', '/3'])
    client.socket.write(request('/4'))
    await expect.poll(() => pathsOf(started), soon).toEqual(['/4'])
  })

  test('are answered up to the maximum of unanswered ones, again and again', async () => {
    const { cuts } = await serve(answerAtOnce)
    const client = await open()
    for (let round = 1; round <= 3; round += 1) {
      client.socket.write(request().repeat(pipelinedRequestsMax))
      await answered(client, round * pipelinedRequestsMax)
    }
    expect(cuts).toEqual([])
  })

  test.each([
    ['of any kind', request()],
    ['that expect what the service does not do', request().replace('Host', 'Expect: x\r\nHost')],
    ['without a host', request().replace('Host', 'Hosts')],
  ])('%s beyond the maximum end the connection, unparsed (T13, T14, T45)', async (_, next) => {
    const started: string[] = []
    const { cuts } = await serve(({ url = '' }) => started.push(url))
    let parsed = 0
    const count = () => (parsed += 1)
    subscribe('http.server.request.start', count)
    try {
      await isClosed(await open(request('/1') + next.repeat(1000)))
    } finally {
      unsubscribe('http.server.request.start', count)
    }
    expect([started, cuts, parsed]).toEqual([['/1'], ['pipelined'], pipelinedRequestsMax + 1])
  })

  test.each([
    ['of 40 kB each', 'Content-Length: 40000', 40_000],
    ['of unknown length', 'Transfer-Encoding: chunked', 0],
  ])('with bodies %s end the connection while they wait (T13, T45)', async (_, header, bytes) => {
    const started: string[] = []
    const { cuts } = await serve(({ url = '' }) => started.push(url))
    const post = `POST /2 HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n${'x'.repeat(bytes)}`
    await isClosed(await open(request('/1') + post + post))
    expect([started, cuts]).toEqual([['/1'], ['pipelined']])
  })

  test('with short bodies are answered', async () => {
    await serve((incoming, response) => incoming.resume().once('end', () => response.end('x')))
    const post = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`
    await answered(await open(post.repeat(4)), 4)
  })

  test('after a response that ends the connection are not answered', async () => {
    const started: string[] = []
    await serve(({ url = '' }, response) => {
      started.push(url)
      response.writeHead(200, close).end('x')
    })
    const client = await open(request('/1') + request('/2'))
    await isClosed(client)
    expect(started).toEqual(['/1'])
  })
})

describe('a response that its client does not read', () => {
  const large = Buffer.alloc(30_000_000)

  test('ends the connection (T14, F10, T45)', async () => {
    const { cuts } = await serve((_, response) => response.end(large), { unreadMs: 200 })
    // Node restarts its timer once, when the socket's buffer takes the first bytes.
    expect(2 * server.timeout).toBeLessThan(200)
    const client = await open(request())
    client.socket.pause()
    await expect.poll(() => cuts, soon).toEqual(['unread'])
  })

  test('is finished if the client reads slowly', { timeout: 60_000 }, async () => {
    let result = await readSlowly()
    for (let again = 0; again < 5 && result.longestStallMs > 200; again++) {
      server.close()
      result = await readSlowly()
    }
    expect(result).toMatchObject({ cuts: [], isWhole: true })
  })

  /** Reads two responses at 25 kB per millisecond. If the process stalls, so does the client, which is part of it. */
  async function readSlowly() {
    const { cuts } = await serve((_, response) => response.end(large), { unreadMs: 1000 })
    const client = await open(request() + request().replace('Host', 'Connection: close\r\nHost'))
    const stalls = monitorEventLoopDelay()
    stalls.enable()
    let bytes = 0
    client.socket.removeAllListeners('data').on('data', ({ length }) => {
      bytes += length
      client.socket.pause()
      setTimeout(() => client.socket.resume(), length / 25_000)
    })
    await expect.poll(() => client.closed, soon).toBe(true)
    stalls.disable()
    return { cuts, isWhole: bytes > 2 * large.length, longestStallMs: stalls.max / 1e6 }
  }

  test('is unlike a response that takes long, which keeps its connection', async () => {
    const { cuts } = await serve((_, response) => setTimeout(() => response.end('x'), 400), {
      unreadMs: 50,
    })
    await answered(await open(request()))
    expect(cuts).toEqual([])
  })
})

describe('a stream that its client does not read', () => {
  const event = { text: 'x'.repeat(1_000_000) }

  test('is given up by its writer, not by the server', async () => {
    const givenUp = Promise.withResolvers<unknown>()
    const { cuts } = await serve(
      async (_, response) => {
        const writer = new SseWriter(response, {}, { slowReaderMs: 300 })
        try {
          for (;;) await writer.send(event)
        } catch (error) {
          givenUp.resolve(error)
          writer.fail({ error: {} })
        }
      },
      { unreadMs: 50 },
    )
    const client = await open(request())
    client.socket.pause()
    expect(await givenUp.promise).toBeInstanceOf(SlowReaderError)
    expect(cuts).toEqual([])
  })

  test('does not keep its connection after its end (T14, F10, T45)', async () => {
    const { cuts } = await serve((_, response) => {
      const writer = new SseWriter(response, {}, { unreadMs: 200 })
      response.write('x'.repeat(30_000_000))
      writer.done()
    })
    const client = await open(request())
    client.socket.pause()
    await expect.poll(() => cuts, soon).toEqual(['unread'])
  })
})

describe('at the maximum of connections', () => {
  test('a new one takes the place of the oldest without a request, of the same address (T14, T46)', async () => {
    const { cuts, counts } = await serve(answerAtOnce, { perAddressMax: 3 })
    const [idle, fresh, half] = await openAll(
      Array.from({ length: 3 }, () => '127.0.0.1'),
      counts,
    )
    const other = await open(request(), '127.0.0.2')
    await answered(other)
    idle!.socket.write(request())
    half!.socket.write('GET / HTTP/1.1\r\nHost: ')
    await answered(idle!)
    await answered(await open(request()))
    await isClosed(fresh!)
    expect([idle, half, other].map((client) => client?.closed)).toEqual([false, false, false])
    expect([cuts, counts.open]).toEqual([['replaced'], 4])
  })

  test('of all addresses, the address with most of them loses one (T14, T46)', async () => {
    const { cuts, counts } = await serve(answerAtOnce, { connectionsMax: 6 })
    const [first, many] = await openAll(
      ['127.0.0.2', '127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.2'],
      counts,
    )
    await answered(await open(request(), '127.0.0.3'))
    await isClosed(many!)
    await answered(await open(request(), '127.0.0.3'))
    expect([first!.closed, cuts, counts.open]).toEqual([false, ['replaced', 'replaced'], 6])
  })

  test('requests in work are not cut; a new connection is refused only if all have them', async () => {
    const started: [IncomingMessage, ServerResponse][] = []
    const { cuts, counts } = await serve((...both) => started.push(both), { perAddressMax: 2 })
    const [first, second] = await openAll(['127.0.0.1', '127.0.0.1'], counts)
    for (const client of [first!, second!]) client.socket.write(request())
    await expect.poll(() => started.length, soon).toBe(2)
    await isClosed(await open(request()))
    expect(cuts).toEqual(['refused'])
    started[0]?.[1].end('x')
    await answered(first!)
    await open(request())
    await expect.poll(() => started.length, soon).toBe(3)
    await isClosed(first!)
    started[1]?.[1].end('x')
    await answered(second!)
  })

  test('a client that sends no body or reads no response loses its place (T14, T46)', async () => {
    const large = Buffer.alloc(30_000_000)
    const { cuts, counts } = await serve(
      ({ method }, response) => method === 'GET' && response.end(large),
      { perAddressMax: 2 },
    )
    const [uploading, unread] = await openAll(['127.0.0.1', '127.0.0.1'], counts)
    uploading!.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc')
    unread!.socket.write(request())
    unread!.socket.pause()
    await expect.poll(() => unread!.socket.bytesRead, soon).toBeGreaterThan(0)
    await answered(await open(request()))
    await answered(await open(request()))
    expect([cuts, uploading!.closed]).toEqual([['replaced', 'replaced'], true])
  })

  test('trusted proxies may have more connections than other addresses', async () => {
    const { cuts, counts } = await serve(answerAtOnce, { perAddressMax: 1, connectionsMax: 4 })
    const clients = await openAll(['127.0.0.9', '127.0.0.9', '127.0.0.9', '127.0.0.1'], counts)
    await answered(await open(request(), '127.0.0.2'))
    expect(clients.map(({ closed }) => closed)).toEqual([false, false, false, true])
    await answered(await open(request(), '127.0.0.9'))
    await answered(await open(request(), '127.0.0.3'))
    expect([clients[0]!.closed, cuts.length]).toEqual([true, 3])
  })
})
