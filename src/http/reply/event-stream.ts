import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../../errors.ts'
import type { RateLimits } from '../../usage/limits/rate-limits.ts'
import { toServiceError } from '../error-handler.ts'
import { replyHeaders } from './reply-headers.ts'
import { SlowReaderError, SseWriter } from './sse.ts'

type EventSource<Event extends object> = {
  /** Events that are sent at once, with the headers. */
  opening: readonly Event[]
  /** Resolves to the next events, or to undefined at the end. */
  next: () => Promise<readonly Event[] | undefined>
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

/** Sends the headers and every event, then `[DONE]`; a failure is an error event and a cut connection. */
export async function sendEventStream(
  { opening, next, stop, toFailure }: EventSource<object>,
  request: FastifyRequest,
  reply: FastifyReply,
  rateLimits: RateLimits,
): Promise<FastifyReply> {
  reply.hijack()
  const writer = new SseWriter(reply.raw, {
    ...stringHeaders(reply),
    ...replyHeaders(request, reply, rateLimits),
  })
  try {
    for (const event of opening) await writer.send(event)
    for (let events = await next(); events !== undefined; events = await next())
      for (const event of events) await writer.send(event)
    writer.done()
  } catch (error) {
    if (error instanceof SlowReaderError) await stop()
    writer.fail(toFailure(toServiceError(error, request).toBody()))
  }
  return reply
}

function stringHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
  )
}
