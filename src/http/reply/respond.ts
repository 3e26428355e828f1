import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Contract } from '../../protocol/operations/contract.ts'
import { EventStream, type ReplyServices, sendEventStream } from './event-stream.ts'
import { HttpResponse, PreparedJson } from './http-response.ts'

/** The results that a handler may return: JSON for status 200, an event stream, or a response with its own status. */
export type ResultOf<C extends Contract> = {
  [Status in keyof C['replies'] & number]: ResultOfStatus<Status, C['replies'][Status]['content']>
}[keyof C['replies'] & number]

type ResultOfStatus<Status extends number, Content> = keyof Content extends never
  ? HttpResponse<Status, undefined>
  : { [Type in keyof Content]: ResultOfType<Status, Type, Content[Type]> }[keyof Content]

type ResultOfType<Status extends number, Type, S> = Type extends 'application/json'
  ? HttpResponse<Status, ValueOf<S>> | (Status extends 200 ? ValueOf<S> | PreparedJson : never)
  : Type extends 'text/event-stream'
    ? EventStream<Extract<ValueOf<S>, object>>
    : HttpResponse<Status, string | Buffer>

export type ValueOf<S> = S extends TSchema ? Static<S> : never

/** Sends a handler's result. Fastify itself serializes a plain value as JSON. */
export function respond(
  result: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  services: ReplyServices,
): unknown {
  if (result instanceof EventStream) return sendEventStream(result.source, request, reply, services)
  if (result instanceof HttpResponse)
    return reply.code(result.status).headers(result.headers).send(result.body)
  if (result instanceof PreparedJson)
    return reply.type('application/json; charset=utf-8').send(result.bytes)
  return result
}
