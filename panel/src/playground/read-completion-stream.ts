import type { ChatCompletionChunk } from '../../../src/protocol/chat/chat-completion.ts'
import type { ErrorReply } from '../../../src/protocol/error-reply.ts'

/** The stream ended before `[DONE]`, so the reply is incomplete. */
export class BrokenStreamError extends Error {
  override readonly name = 'BrokenStreamError'
}

/** The service sent an error event in the stream. */
export class StreamFaultError extends Error {
  override readonly name = 'StreamFaultError'
  readonly code: string | null

  constructor({ message, code }: ErrorReply['error']) {
    super(message)
    this.code = code
  }
}

/** Far longer than any event of the service. */
const lineCharsMax = 1024 * 1024

/**
 * Yields the chunks of a streamed completion. Returns only after `[DONE]`.
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
    'The connection closed before the reply was complete. The partial reply is kept. Try again.',
  )
}

function parseEvent(payload: string): ChatCompletionChunk {
  const event = parseJson(payload)
  if (event.error !== undefined) throw new StreamFaultError(event.error)
  return event
}

// Trusts the service's events to match their schema.
function parseJson(payload: string): ChatCompletionChunk & Partial<ErrorReply> {
  try {
    return JSON.parse(payload)
  } catch (cause) {
    throw new BrokenStreamError('The reply contains an invalid event. Try again.', { cause })
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
      if (rest.length > lineCharsMax)
        throw new BrokenStreamError('A line of the reply is too long. Try again.')
      yield* lines
    }
  } finally {
    // Also runs when the caller stops reading early. The service then stops generating.
    await reader.cancel().catch(() => {})
  }
}

/** Converts a lost connection, which browsers report as a TypeError, to a BrokenStreamError. */
async function readOrBroken(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new BrokenStreamError(
      'The connection was lost before the reply was complete. The partial reply is kept. Try again.',
      { cause },
    )
  }
}
