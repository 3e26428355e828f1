import type { Caller } from '../../accounts/api-keys.ts'
import { Key, type LimitStates } from '../../protocol/key.ts'
import type {
  LimitState,
  LimitStates as LeftOfLimits,
  RateLimits,
} from '../../usage/rate-limits.ts'
import type { ApiRoute } from '../route.ts'

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
      ...limitsOf(rateLimits, caller),
    }),
  }
}

export function limitsOf(
  rateLimits: RateLimits,
  caller: Caller,
): { limits: LimitStates; account_limits: LimitStates } {
  const { key, account } = rateLimits.state(caller)
  return { limits: limitStatesToWire(key), account_limits: limitStatesToWire(account) }
}

export function limitStatesToWire(states: LeftOfLimits): LimitStates {
  return {
    requests_per_minute: stateToWire(states.requestsPerMinute),
    tokens_per_minute: stateToWire(states.tokensPerMinute),
    parallel_requests: stateToWire(states.parallelRequests),
    tokens_per_day: stateToWire(states.tokensPerDay),
    tokens_per_month: stateToWire(states.tokensPerMonth),
  }
}

function stateToWire(state: LimitState | undefined): LimitStates['tokens_per_day'] {
  if (state === undefined) return null
  return { limit: state.limit, remaining: state.remaining, reset_ms: state.resetMs }
}
