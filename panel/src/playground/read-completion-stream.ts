import type { ChatCompletionChunk } from '../../../src/protocol/chat/chat-completion.ts'
import type { ErrorReply } from '../../../src/protocol/error-reply.ts'

/** The reply ended before its `[DONE]`: what came until then is not a whole reply. */
export class BrokenStreamError extends Error {
  override readonly name = 'BrokenStreamError'
}

/** The service said in the stream that it cannot go on. */
export class StreamFaultError extends Error {
  override readonly name = 'StreamFaultError'
  readonly code: string | null

  constructor({ message, code }: ErrorReply['error']) {
    super(message)
    this.code = code
  }
}

/** No event of ours is nearly as long; whoever sends one is not the service. */
const lineCharsMax = 1024 * 1024

/**
 * The chunks of a streamed completion. Ends by itself only after `[DONE]`.
 * @throws StreamFaultError, BrokenStreamError; an AbortError when the request was aborted
 */
export async function* readCompletionStream(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ChatCompletionChunk> {
  for await (const line of readLines(body)) {
    if (!line.startsWith('data: ')) continue
    const payload = line.slice('data: '.length)
    if (payload === '[DONE]') return
    yield parseEvent(payload)
  }
  throw new BrokenStreamError(
    'The connection ended before the reply did. What arrived is kept; try again.',
  )
}

function parseEvent(payload: string): ChatCompletionChunk {
  const event = parseJson(payload)
  if (event.error !== undefined) throw new StreamFaultError(event.error)
  return event
}

// The service's own events are the one thing here that is trusted to have the form of its schema.
function parseJson(payload: string): ChatCompletionChunk & Partial<ErrorReply> {
  try {
    return JSON.parse(payload)
  } catch (cause) {
    throw new BrokenStreamError('The reply holds something that is not an event.', { cause })
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    while (true) {
      const { done, value } = await readOrBroken(reader)
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/)
      rest = lines.pop() ?? ''
      if (rest.length > lineCharsMax) throw new BrokenStreamError('A line of the reply has no end.')
      yield* lines
    }
  } finally {
    // Also when the reader of the chunks leaves early: the service then stops generating.
    await reader.cancel().catch(() => {})
  }
}

/** Browsers tell a cut connection as a TypeError of a few words that differ. */
async function readOrBroken(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new BrokenStreamError(
      'The connection was cut before the reply ended. What arrived is kept; try again.',
      { cause },
    )
  }
}
