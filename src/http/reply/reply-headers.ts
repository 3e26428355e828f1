import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../accounts/caller.ts'
import { keyLimits } from '../../key-limits.ts'
import type { LimitStates } from '../../usage/limits/limit-state.ts'
import type { RateLimiter } from '../../usage/limits/rate-limiter.ts'
import { crossOriginHeaders } from '../request/cross-origin.ts'

/** Services whose state is in the headers of every reply. */
export type HeaderServices = {
  readonly rateLimits: RateLimiter
  readonly admission: { readonly open: boolean }
}

/** Returns the headers of every reply, errors and streams included. */
export function replyHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  { rateLimits, admission }: HeaderServices,
): Record<string, string> {
  return {
    // The next request on the connection would meet a service that has stopped.
    ...(admission.open ? {} : { connection: 'close' }),
    'x-request-id': request.id,
    'x-processing-ms': String(Math.round(reply.elapsedTime)),
    ...crossOriginHeaders(request),
    ...(request.caller && limitHeaders(rateLimits, request.caller)),
  }
}

/** Returns the state of the tightest limits of the key and its account. */
function limitHeaders(rateLimits: RateLimiter, caller: Caller): Record<string, string> {
  if (isEmpty(caller.limits) && isEmpty(caller.accountLimits)) return {}
  const { key, account } = rateLimits.state(caller)
  return { ...headersOf('requests', [key, account]), ...headersOf('tokens', [key, account]) }
}

// Parallel requests are not spent like the others, so the headers leave them out.
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
