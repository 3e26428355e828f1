import fastify from 'fastify'
import { expect, test } from 'vitest'
import { sendEventStream } from './event-stream.ts'
import { SlowReaderError } from './sse.ts'

test('a stream that is cut because its client reads too slowly ends with a timeout, not with an error of the service', async () => {
  const calls: string[] = []
  const note = (message: string) => void calls.push(message)
  const services = {
    rateLimits: { state: () => ({ key: {}, account: {} }) },
    admission: { open: true },
    logger: { debug: note, info: note, warn: note, error: note },
  }
  const source = {
    opening: [{ text: 'a' }],
    next: () => Promise.reject(new SlowReaderError()),
    stop: () => Promise.resolve(note('stop')),
    toFailure: (body: object) => body,
  }
  const app = fastify()
  app.get('/', (request, reply) => sendEventStream(source, request, reply, services as never))
  try {
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const text = await textUntilCut(await fetch(url))
    const [first, error] = text.split('\n\n').map((line) => line.replace('data: ', ''))
    expect(first).toBe('{"text":"a"}')
    expect(JSON.parse(error ?? '')).toMatchObject({ error: { code: 'timeout' } })
    expect(calls).toEqual(['stop'])
  } finally {
    await app.close()
  }
})

async function textUntilCut({ body }: Response): Promise<string> {
  let text = ''
  try {
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) text += chunk
  } catch {
    // The service cuts a stream that fails.
  }
  return text
}
