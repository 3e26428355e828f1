import { ServiceError } from '../../errors.ts'
import type { KeyLimit } from '../../key-limits.ts'

export type LimitOwner = 'API key' | 'account'

type Refused = {
  limit: number
  remaining: number
  /** Largest amount that the request may use. */
  amount: number
  waitMs: number
  owner: LimitOwner
}

/** Returns an error that names the limit that a request reached, and says when to retry if that helps. */
export function limitRefusal(kind: KeyLimit, refused: Refused): ServiceError {
  const { limit, remaining, amount, waitMs, owner } = refused
  const reached = `Limit reached for this ${owner}: ${limitText(kind, limit)}`
  const need = amount > 1 ? ` This request needs up to ${amount} (prompt and reply).` : ''
  switch (kind.window) {
    case 'parallel':
      return rateLimited(kind, `${reached}. Retry when one of them has finished.`, waitMs)
    case 'minute':
      if (waitMs === Infinity)
        return rateLimited(
          kind,
          `This request needs up to ${amount} tokens (prompt and reply), more than this ${owner} ` +
            `may use at all: ${limitText(kind, limit)}. Shorten the prompt or lower \`max_tokens\`.`,
          waitMs,
        )
      return rateLimited(kind, `${reached}.${need} Retry in ${Math.ceil(waitMs / 1000)} s.`, waitMs)
    case 'day':
    case 'month':
      return new ServiceError('insufficient_quota', `${reached} (UTC), ${remaining} left.${need}`)
  }
}

/** Returns an error for a request that others kept from what is left of a limit, which may be enough for it. */
export function contendedRefusal(
  kind: KeyLimit,
  { limit, owner, waitMs }: Pick<Refused, 'limit' | 'owner' | 'waitMs'>,
): ServiceError {
  const text = `Other requests are taking what is left of a limit of this ${owner}: ${limitText(kind, limit)}.`
  return rateLimited(kind, `${text} Retry in ${Math.ceil(waitMs / 1000)} s.`, waitMs)
}

/** Returns, for example, “5 requests per minute”. */
function limitText({ counts, window }: KeyLimit, limit: number): string {
  const noun = limit === 1 ? counts.slice(0, -1) : counts
  return window === 'parallel' ? `${limit} parallel ${noun}` : `${limit} ${noun} per ${window}`
}

function rateLimited({ counts }: KeyLimit, message: string, retryAfterMs: number): ServiceError {
  return new ServiceError('rate_limit_exceeded', message, { type: counts, retryAfterMs })
}
