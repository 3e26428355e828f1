import { fc } from '../../../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { readCompletionStream } from './read-completion-stream.ts'

const chunk = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

/** Reads a stream sent in these pieces. Returns its text and how it ended. */
async function read(pieces: readonly Uint8Array[], cut?: Error) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      if (cut === undefined) controller.close()
    },
    pull(controller) {
      if (cut !== undefined) controller.error(cut)
    },
  })
  let text = ''
  try {
    for await (const { choices } of readCompletionStream(body))
      text += choices[0]?.delta.content ?? ''
    return { text, end: 'whole' }
  } catch (error) {
    return { text, end: error instanceof Error ? `${error.name}: ${error.message}` : '' }
  }
}
const bytes = (text: string) => new TextEncoder().encode(text)

test('a reply is the same wherever the network splits its bytes', async () => {
  const whole = bytes(
    `: ping\n\n${chunk('Grüße 👩‍👩‍👧‍👦')}\r\n${chunk('\n\ndata: [DONE]')}data: [DONE]\n\n`,
  )
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(whole.length)), async (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), whole.length]
      const pieces = places.slice(1).map((end, i) => whole.slice(places[i], end))
      expect(await read(pieces)).toEqual({ text: 'Grüße 👩‍👩‍👧‍👦\n\ndata: [DONE]', end: 'whole' })
    }),
    { seed: 3, numRuns: 200 },
  )
})

test('a stream without [DONE] is an error, and the chunks before it are yielded', async () => {
  expect(await read([bytes(chunk('half'))])).toEqual({
    text: 'half',
    end: expect.stringMatching(/^BrokenStreamError: The connection closed/),
  })
  expect(await read([bytes(chunk('half'))], new TypeError('network error'))).toEqual({
    text: 'half',
    end: expect.stringMatching(/^BrokenStreamError: The connection was lost/),
  })
})

test('an error event ends the stream with the service’s message', async () => {
  const event = { error: { message: 'The engine failed.', code: 'engine_failed' }, choices: [] }
  expect(await read([bytes(`${chunk('so far')}data: ${JSON.stringify(event)}\n\n`)])).toEqual({
    text: 'so far',
    end: 'StreamFaultError: The engine failed.',
  })
})

test('other content is an error, and so is a line over 1 MiB', async () => {
  expect((await read([bytes('data: <html>\n')])).end).toMatch(/^BrokenStreamError/)
  expect((await read([bytes(`data: ${'x'.repeat(1024 * 1024)}`)])).end).toMatch(/too long/)
})

test('leaving the loop early cancels the request', async () => {
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes(chunk('a') + chunk('b'))),
    cancel: () => {
      cancelled = true
    },
  })
  for await (const { choices } of readCompletionStream(body)) {
    expect(choices[0]?.delta.content).toBe('a')
    break
  }
  expect(cancelled).toBe(true)
})
