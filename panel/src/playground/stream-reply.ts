import { ApiError, streamApi } from '../api.ts'
import type { ChatCompletionRequest } from '../../../src/protocol/chat/chat-request.ts'
import {
  BrokenStreamError,
  readCompletionStream,
  StreamFaultError,
} from './read-completion-stream.ts'
import { addChunk, type Outcome, type Reply } from './reply.ts'

/** Longer than the service's own limit for a generation. */
const replyTimeoutMs = 660_000
/** Rendering every token would block the page. */
const progressIntervalMs = 100

/**
 * Streams one completion. Every ending, including an error, becomes the `outcome` of the returned reply.
 * @param empty the reply before its first token
 * @param onProgress gets the reply so far, at most ten times a second
 */
export async function streamReply(
  body: ChatCompletionRequest,
  empty: Reply,
  onProgress: (reply: Reply) => void,
  stop: AbortSignal,
): Promise<Reply> {
  const beginMs = performance.now()
  const elapsedMs = () => Math.round(performance.now() - beginMs)
  const signal = AbortSignal.any([stop, AbortSignal.timeout(replyTimeoutMs)])
  let reply = empty
  const ticks = setInterval(() => {
    reply = { ...reply, elapsedMs: elapsedMs() }
    onProgress(reply)
  }, progressIntervalMs)
  try {
    const response = await streamApi(
      'POST /panel/api/chat/completions',
      { body: { ...body, stream: true, stream_options: { include_usage: true } } },
      signal,
    )
    reply = { ...reply, requestId: response.headers.get('x-request-id') ?? undefined }
    if (response.body === null) throw new BrokenStreamError('The response has no body. Try again.')
    for await (const chunk of readCompletionStream(response.body))
      reply = addChunk(reply, chunk, elapsedMs())
    return { ...reply, outcome: { state: 'completed' } }
  } catch (error) {
    return {
      ...reply,
      requestId: reply.requestId ?? refusedId(error),
      elapsedMs: elapsedMs(),
      outcome: toOutcome(error, stop),
    }
  } finally {
    clearInterval(ticks)
  }
}

/** Returns the id of a refused request, unless it had no session: then no account has a receipt. */
function refusedId(error: unknown): string | undefined {
  return error instanceof ApiError && error.status !== 401 ? error.requestId : undefined
}

function toOutcome(error: unknown, stop: AbortSignal): Outcome {
  if (stop.aborted) return { state: 'stopped' }
  if (
    error instanceof ApiError ||
    error instanceof StreamFaultError ||
    error instanceof BrokenStreamError
  )
    return { state: 'failed', message: error.message }
  // A bug in the panel: report it to the console and end the reply.
  reportError(error)
  return { state: 'failed', message: 'The panel could not read the reply. Try again.' }
}
