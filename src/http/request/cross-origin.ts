import type { FastifyInstance, FastifyRequest } from 'fastify'

const exposedHeaders = [
  'allow',
  'www-authenticate',
  'x-request-id',
  'x-processing-ms',
  ...['limit', 'remaining', 'reset'].flatMap((what) => [
    `x-ratelimit-${what}-requests`,
    `x-ratelimit-${what}-tokens`,
  ]),
  'x-ignored-parameters',
  'idempotency-replayed',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'x-drop-reason',
].join(', ')
const preflightSeconds = 86_400

/**
 * Returns the headers that let a page of any origin read a response. That is safe: the API authenticates by API key,
 * never by cookie.
 */
export function crossOriginHeaders({ url, headers }: FastifyRequest): Record<string, string> {
  if (headers.origin === undefined || !isApi(url)) return {}
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders,
    vary: 'Origin',
  }
}

/** Answers the CORS preflight that browsers send before a request with a key (Fetch standard). */
export function answerPreflights(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin, 'access-control-request-method': method } = request.headers
    const isPreflight = request.method === 'OPTIONS' && origin !== undefined && method !== undefined
    if (!isPreflight || !isApi(request.url)) return done()
    const wanted = request.headers['access-control-request-headers']
    reply.headers({
      'access-control-allow-methods': 'GET, POST',
      // A wildcard does not cover `authorization`.
      ...(wanted !== undefined && { 'access-control-allow-headers': wanted }),
      'access-control-max-age': String(preflightSeconds),
    })
    reply.code(204).send()
  })
}

function isApi(url: string): boolean {
  return url.startsWith('/v1/') || url.startsWith('/openapi.json')
}
