import type { FastifyReply, FastifyRequest } from 'fastify'
import { queueCommentMs } from '../../completions/admission/queue-limits.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { ServiceError } from '../../errors.ts'
import { toServiceError } from './error-handler.ts'
import { type ErrorBody, statusOf, toErrorBody } from './error-response.ts'
import { replyHeaders, type HeaderServices } from './reply-headers.ts'
import { SlowReaderError, SseWriter } from './sse.ts'

type EventSource<Event extends object> = {
  /** Events that are sent at once, with the headers. */
  opening: readonly Event[]
  /** Resolves to the next events, or to undefined at the end. */
  next: () => Promise<readonly Event[] | undefined>
  /** Returns an SSE comment to send during the wait for the events after `opening`, or undefined for none. */
  comment?: (() => string | undefined) | undefined
  /** Ends the source. It is called once, when the client has stopped reading. */
  stop: () => Promise<void>
  /** Returns the last event of a stream that fails. */
  toFailure: (body: ErrorBody) => object
}

/** A result of a handler that is sent as Server-Sent Events. */
export class EventStream<Event extends object> {
  readonly source: EventSource<Event>

  constructor(source: EventSource<Event>) {
    this.source = source
  }
}

export type ReplyServices = HeaderServices & { readonly logger: Logger }

/** Sends the headers and every event, then `[DONE]`. On failure, sends an error event and cuts the connection. */
export async function sendEventStream(
  { opening, next, comment, stop, toFailure }: EventSource<object>,
  request: FastifyRequest,
  reply: FastifyReply,
  services: ReplyServices,
): Promise<FastifyReply> {
  reply.hijack()
  const writer = new SseWriter(reply.raw, {
    ...stringHeaders(reply),
    ...replyHeaders(request, reply, services),
  })
  let stopComments: () => void = () => {}
  try {
    let events: readonly object[] | undefined = opening
    while (events !== undefined) {
      for (const event of events) {
        const drained = writer.send(event)
        if (drained !== undefined) await drained
      }
      if (comment !== undefined && events === opening) stopComments = startComments(writer, comment)
      events = await next()
      stopComments()
    }
    writer.done()
  } catch (error) {
    const failure = toServiceError(error, request)
    if (error instanceof SlowReaderError) await stop()
    // Faults of the engine have their own lines in the log.
    else if (!(error instanceof ServiceError) && statusOf(failure) === 500)
      services.logger.error('a stream failed', { requestId: request.id, error })
    writer.fail(toFailure(toErrorBody(failure)))
  } finally {
    stopComments()
  }
  return reply
}

/** Sends comments until the returned function is called. */
function startComments(writer: SseWriter, comment: () => string | undefined): () => void {
  const send = () => {
    const text = comment()
    if (text !== undefined) writer.comment(text)
  }
  send()
  const timer = setInterval(send, queueCommentMs)
  return () => clearInterval(timer)
}

function stringHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
  )
}
