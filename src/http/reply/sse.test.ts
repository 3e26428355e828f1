import { createServer, get, IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { fc } from '../../../test/support/random/test-seed.ts'
import { expect, test, vi } from 'vitest'
import { SlowReaderError, SseWriter, type SseOptions } from './sse.ts'

/** Sends one request to a server that responds with whatever `write` sends. */
async function serve(
  write: (writer: SseWriter, response: ServerResponse) => Promise<void>,
  read: (response: IncomingMessage) => Promise<void>,
  options: SseOptions = {},
) {
  const server = createServer((_request, response) => {
    void write(new SseWriter(response, {}, options), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ port, host: '127.0.0.1' }, resolve).on('error', reject)
    })
    response.on('error', () => {})
    await read(response)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const bytes of response.setEncoding('utf8')) text += bytes
  } catch {
    // The server cut the connection.
  }
  return text
}

test('whatever a text holds, it is one line and arrives as it was (T29)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), async (texts) => {
      await serve(
        async (writer) => {
          for (const text of texts) await writer.send({ text })
          writer.done()
        },
        async (response) => {
          const lines = (await textOf(response)).split('\n').filter((line) => line !== '')
          expect(lines.at(-1)).toBe('data: [DONE]')
          const arrived = lines
            .slice(0, -1)
            .map((line) => JSON.parse(line.slice(6)) as { text: string })
          expect(arrived).toEqual(texts.map((text) => ({ text })))
        },
      )
    }),
    { numRuns: 50 },
  )
})

test('silence is filled with comments', async () => {
  await serve(
    async (writer, response) => {
      await new Promise((resolve) => response.once('close', resolve))
      writer.done()
    },
    async (response) => {
      const [first] = (
        await response.setEncoding('utf8').iterator({ destroyOnReturn: true }).next()
      ).value.split('\n')
      expect(first).toBe(': ping')
    },
    { pingMs: 5 },
  )
})

test('a ping follows an event after the same silence as after the headers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const written = vi.spyOn(response, 'write')
  const writer = new SseWriter(response, {}, { pingMs: 1_000 })
  try {
    vi.advanceTimersByTime(900)
    void writer.send({})
    vi.advanceTimersByTime(999)
    expect(written.mock.calls).toEqual([['data: {}\n\n']])
    vi.advanceTimersByTime(1)
    expect(written.mock.calls).toEqual([['data: {}\n\n'], [': ping\n\n']])
    vi.advanceTimersByTime(1_000)
    expect(written).toHaveBeenCalledTimes(3)
  } finally {
    writer.done()
    vi.useRealTimers()
  }
})

test('a reader that takes nothing is given up, and little is kept for it (T14)', async () => {
  const givenUp = Promise.withResolvers<void>()
  await serve(
    async (writer, response) => {
      const send = async () => {
        for (;;) await writer.send({ text: 'x'.repeat(100_000) })
      }
      await expect(send()).rejects.toBeInstanceOf(SlowReaderError)
      expect(response.writableLength).toBeLessThan(1_000_000)
      writer.fail({ error: {} })
      response.once('close', () => givenUp.resolve())
    },
    async (response) => {
      response.pause()
      await givenUp.promise
    },
    { slowReaderMs: 50 },
  )
})

test('a long event arrives whole, in parts that each have the full time to be read', async () => {
  // A character has two bytes, so the parts end within characters.
  const event = { text: `.${'é'.repeat(4_000_000)}` }
  let unsent = 0
  await serve(
    async (writer, response) => {
      const sent = writer.send(event)
      unsent = response.writableLength
      await sent
      writer.done()
    },
    async (response) =>
      expect(await textOf(response)).toBe(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`),
  )
  expect(unsent).toBeLessThan(100_000)
})

test('a long event whose reader takes nothing ends without another event within it', async () => {
  const failed = Promise.withResolvers<void>()
  await serve(
    async (writer) => {
      await expect(writer.send({ text: 'x'.repeat(30_000_000) })).rejects.toThrow(SlowReaderError)
      writer.fail({ error: {} })
      failed.resolve()
    },
    async (response) => {
      response.pause()
      await failed.promise
      const text = await textOf(response)
      expect(text.slice(0, 40)).toBe(`data: {"text":"${'x'.repeat(25)}`)
      expect(text).not.toContain('error')
      expect(response.complete).toBe(false)
    },
    { slowReaderMs: 50 },
  )
})

test('a failure has no [DONE] and no clean end', async () => {
  await serve(
    async (writer) => {
      await writer.send({ a: 1 })
      writer.fail({ error: { code: 'engine_failed' } })
    },
    async (response) => {
      expect(await textOf(response)).toBe(
        'data: {"a":1}\n\ndata: {"error":{"code":"engine_failed"}}\n\n',
      )
      expect(response.complete).toBe(false)
    },
  )
})

test('a comment is a line that no client reads as an event', async () => {
  await serve(
    async (writer) => {
      writer.comment('queue position 3, expected wait 4 s')
      await writer.send({ text: 'Hi' })
      writer.done()
    },
    async (response) => {
      const expected =
        ': queue position 3, expected wait 4 s\n\ndata: {"text":"Hi"}\n\ndata: [DONE]\n\n'
      expect(await textOf(response)).toBe(expected)
    },
  )
})
