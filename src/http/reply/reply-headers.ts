import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../accounts/caller.ts'
import { keyLimits } from '../../key-limits.ts'
import type { LimitStates } from '../../usage/limits/limit-state.ts'
import type { RateLimiter } from '../../usage/limits/rate-limiter.ts'
import { crossOriginHeaders } from '../request/cross-origin.ts'

/** Services whose state appears in the headers of every response. */
export type HeaderServices = {
  readonly rateLimits: RateLimiter
  readonly admission: { readonly open: boolean }
}

/** Returns the headers of every response, errors and streams included. */
export function replyHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  { rateLimits, admission }: HeaderServices,
): Record<string, string> {
  return {
    // A service that is stopping could not answer the next request on this connection.
    ...(admission.open ? {} : { connection: 'close' }),
    'x-request-id': request.id,
    'x-processing-ms': String(Math.round(reply.elapsedTime)),
    ...crossOriginHeaders(request),
    ...(request.caller && limitHeaders(rateLimits, request.caller)),
  }
}

/** Returns headers with the state of the tightest limits of the key and its account. */
function limitHeaders(rateLimits: RateLimiter, caller: Caller): Record<string, string> {
  if (isEmpty(caller.limits) && isEmpty(caller.accountLimits)) return {}
  const { key, account } = rateLimits.state(caller)
  return { ...headersOf('requests', [key, account]), ...headersOf('tokens', [key, account]) }
}

// A limit on concurrent requests is not used up over time, so the headers leave it out.
const spentLimits = keyLimits.filter(({ window }) => window !== 'parallel')

function headersOf(
  counts: 'requests' | 'tokens',
  states: readonly LimitStates[],
): Record<string, string> {
  const [tightest] = spentLimits
    .filter((limit) => limit.counts === counts)
    .flatMap(({ name }) => states.map((state) => state[name]))
    .filter((state) => state !== undefined)
    .toSorted((a, b) => a.remaining - b.remaining)
  if (tightest === undefined) return {}
  return {
    [`x-ratelimit-limit-${counts}`]: String(tightest.limit),
    [`x-ratelimit-remaining-${counts}`]: String(tightest.remaining),
    [`x-ratelimit-reset-${counts}`]: `${tightest.resetMs / 1000}s`,
  }
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
