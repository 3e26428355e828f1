import type { FastifyInstance, FastifyRequest } from 'fastify'

const exposedHeaders = [
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
].join(', ')
const preflightSeconds = 86_400

/** For replies to pages: any origin may read them, since what lets a caller in is its key and never a cookie. */
export function crossOriginHeaders({ url, headers }: FastifyRequest): Record<string, string> {
  if (headers.origin === undefined || !isApi(url)) return {}
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders,
    vary: 'Origin',
  }
}

/** Browsers ask before they send a key from a page (CORS protocol of the Fetch standard). */
export function answerPreflights(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin, 'access-control-request-method': method } = request.headers
    if (request.method !== 'OPTIONS' || origin === undefined || method === undefined) return
    if (!isApi(request.url)) return
    const wanted = request.headers['access-control-request-headers']
    reply.headers({
      'access-control-allow-methods': 'GET, POST',
      // A wildcard would not stand for `authorization`.
      ...(wanted !== undefined && { 'access-control-allow-headers': wanted }),
      'access-control-max-age': String(preflightSeconds),
    })
    await reply.code(204).send()
  })
}

function isApi(url: string): boolean {
  return url.startsWith('/v1/') || url.startsWith('/openapi.json')
}
