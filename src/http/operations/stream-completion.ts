import type { CompletionHead } from '../../completions/completion.ts'
import { Interruption } from '../../completions/interruption.ts'
import type { QueueStatus } from '../../completions/admission/slot-queue.ts'
import type { AdmittedRequest } from '../../completions/run-completion.ts'
import type { ToolCallEvent } from '../../completions/tool-call-reader.ts'
import { streamHeadersDelayMaxMs } from '../../limits.ts'
import type {
  ChatCompletionChunk,
  ChatCompletionFailure,
} from '../../protocol/chat/chat-completion.ts'
import { EventStream } from '../reply/event-stream.ts'
import { toChunks, toFirstChunk } from '../wire/chat/to-chunk.ts'
import { toHead } from '../wire/chat/to-head.ts'
import type { ChatRequest } from '../wire/chat/parse-chat-request.ts'

type Events = AsyncIterator<ToolCallEvent, void, void>

/**
 * Returns the chunks as a stream once the first event has arrived, so that an earlier failure keeps its own HTTP
 * status. If the wait is long, sends the headers after `streamHeadersDelayMaxMs`, then the position in the queue.
 */
export async function streamCompletion(
  { choices, includeUsage }: ChatRequest,
  head: CompletionHead,
  events: Events,
  { place, control }: Pick<AdmittedRequest, 'place' | 'control'>,
): Promise<EventStream<ChatCompletionChunk>> {
  const frame = { head: toHead(head), includeUsage }
  const indexes = Array.from({ length: choices }, (_, index) => index)
  let first: ReturnType<Events['next']> | undefined = events.next()
  const isSlow = await Promise.race([
    first.then(() => false),
    delay(streamHeadersDelayMaxMs, first),
  ])
  return new EventStream({
    opening: indexes.map((index) => toFirstChunk(frame, index)),
    next: async () => {
      const { done, value } = await (first ?? events.next())
      first = undefined
      return done === true ? undefined : toChunks(frame, value)
    },
    comment: isSlow ? () => toComment(place.queueStatus) : undefined,
    stop: () => stop(events, control),
    toFailure: (body): ChatCompletionFailure => ({
      ...body,
      choices: indexes.map((index) => ({ index, delta: {}, finish_reason: 'error' })),
    }),
  })
}

function toComment(status: QueueStatus | undefined): string | undefined {
  if (status === undefined) return undefined
  const { position, waitMs } = status
  return `queue position ${position}, expected wait ${Math.ceil(waitMs / 1000)} s`
}

/** Aborts the generation and reads it to its end, so that its tokens are counted and settled. */
async function stop(events: Events, control: AbortController): Promise<void> {
  control.abort(new Interruption('slow_reader'))
  try {
    while (!(await events.next()).done);
  } catch {
    // Expected: the iterator throws the reason of this abort.
  }
}

/** Resolves to true after `ms`. Never resolves if `until` settles first. */
function delay(ms: number, until: Promise<unknown>): Promise<true> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), ms)
    const clear = () => clearTimeout(timer)
    until.then(clear, clear)
  })
}
