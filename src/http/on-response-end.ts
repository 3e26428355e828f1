import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hasTimedOut } from './timed-out.ts'

/** The status that nginx logs when the client left before the response began. */
const clientLeft = 499

/**
 * Calls `listener` once for each request when its response has ended: sent whole, cut, or left by the client. Fastify's
 * own hook `onResponse` runs only for a response that was sent whole.
 */
export function onResponseEnd(
  app: FastifyInstance,
  listener: (request: FastifyRequest, status: number, durationMs: number) => void,
): void {
  app.addHook('onRequest', (request, { raw: response }, done) => {
    const startedMs = performance.now()
    response.once('close', () =>
      listener(request, statusOf(response), performance.now() - startedMs),
    )
    done()
  })
}

function statusOf({ headersSent, statusCode, req }: ServerResponse): number {
  if (headersSent) return statusCode
  return hasTimedOut(req.socket) ? 408 : clientLeft
}
