import type { FastifyReply, FastifyRequest } from 'fastify'

/** On every reply: errors and streams too. */
export function replyHeaders(request: FastifyRequest, reply: FastifyReply): Record<string, string> {
  return {
    'x-request-id': request.id,
    'x-processing-ms': String(Math.round(reply.elapsedTime)),
  }
}
