import { Key } from '../../protocol/key.ts'
import type { RateLimits } from '../../usage/limits/rate-limits.ts'
import type { ApiRoute } from '../route.ts'
import { callerLimitsToWire } from '../wire/limits.ts'

/** What the caller's key may still do. */
export function keyRoute(rateLimits: RateLimits): ApiRoute {
  return {
    method: 'GET',
    url: '/v1/key',
    auth: 'api-key',
    scope: 'any',
    doc: {
      operationId: 'retrieveKey',
      summary: 'What the key may still do',
      replies: { 200: { description: 'The key.', content: { 'application/json': Key } } },
      errors: [],
    },
    handler: (_request, _reply, caller): Key => ({
      id: caller.keyId,
      object: 'key',
      name: caller.name,
      created: Math.floor(caller.createdMs / 1000),
      expires: caller.expiresMs === undefined ? null : Math.floor(caller.expiresMs / 1000),
      scopes: [...caller.scopes],
      ...callerLimitsToWire(rateLimits, caller),
    }),
  }
}
