import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/api-keys.ts'
import type { LimitState, RateLimits } from '../usage/rate-limits.ts'
import { crossOriginHeaders } from './request/cross-origin.ts'

/** On every reply: errors and streams too. */
export function replyHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  rateLimits: RateLimits,
): Record<string, string> {
  return {
    'x-request-id': request.id,
    'x-processing-ms': String(Math.round(reply.elapsedTime)),
    ...crossOriginHeaders(request),
    ...(request.caller && limitHeaders(rateLimits, request.caller)),
  }
}

/** Of the limits of the key and its account those that would refuse first. */
function limitHeaders(rateLimits: RateLimits, caller: Caller): Record<string, string> {
  if (isEmpty(caller.limits) && isEmpty(caller.accountLimits)) return {}
  const { key, account } = rateLimits.state(caller)
  return {
    ...headersOf('requests', [key.requestsPerMinute, account.requestsPerMinute]),
    ...headersOf(
      'tokens',
      [key, account].flatMap((of) => [of.tokensPerMinute, of.tokensPerDay, of.tokensPerMonth]),
    ),
  }
}

function headersOf(
  what: 'requests' | 'tokens',
  states: (LimitState | undefined)[],
): Record<string, string> {
  const [tightest] = states
    .filter((state) => state !== undefined)
    .toSorted((a, b) => a.remaining - b.remaining)
  if (tightest === undefined) return {}
  return {
    [`x-ratelimit-limit-${what}`]: String(tightest.limit),
    [`x-ratelimit-remaining-${what}`]: String(tightest.remaining),
    [`x-ratelimit-reset-${what}`]: `${tightest.resetMs / 1000}s`,
  }
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
