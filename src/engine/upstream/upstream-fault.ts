import { contextLengthExceeded, ServiceError } from '../../errors.ts'

/**
 * `unreachable`: there was no connection. `lost`: the connection broke before the response, so the request may
 * have crashed the upstream. `busy`: the upstream has no capacity now.
 * `refused`: the upstream does not accept this request. `tooLong`: the prompt does not fit. `filtered`: the upstream does
 * not pass on the reply because of its content. `wrongCalls`: the tool calls of a reply are not what the request asked for.
 * `errored`: the upstream has reported another error, and the request may be its cause. `noReply`: it has sent a redirect,
 * a page or the like instead of a reply. `failed`: any other fault.
 */
export type FaultKind =
  | 'unreachable'
  | 'lost'
  | 'busy'
  | 'refused'
  | 'tooLong'
  | 'filtered'
  | 'wrongCalls'
  | 'errored'
  | 'noReply'
  | 'failed'

/** A fault of an upstream engine. `reason` is for the log and never contains text from the upstream. */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault'
  readonly kind: FaultKind
  readonly reason: string
  /** Delay that the upstream asked for in `Retry-After`. */
  readonly retryAfterMs: number | undefined

  constructor(kind: FaultKind, reason: string, retryAfterMs?: number) {
    super(`${kind}: ${reason}`)
    this.kind = kind
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }

  /** True if another upstream may succeed. */
  get isRetryable(): boolean {
    return this.kind === 'unreachable' || this.kind === 'lost' || this.kind === 'busy'
  }
}

/** Returns the error for a caller who has no part of the reply. It neither names nor quotes the upstream. */
export function toServiceError(fault: UpstreamFault, contextTokens: number): ServiceError {
  switch (fault.kind) {
    case 'unreachable':
    case 'lost':
    case 'busy':
      return new ServiceError(
        'overloaded',
        'No engine behind this service has room now. Try again in a moment.',
        { retryAfterMs: fault.retryAfterMs ?? 2000, cause: fault },
      )
    case 'tooLong':
      return contextLengthExceeded('more', contextTokens)
    case 'refused':
      return new ServiceError(
        'unsupported_value',
        'The engine behind this service does not accept this request. Check the schema, the tools and the parameters.',
        { cause: fault },
      )
    case 'filtered':
      return new ServiceError(
        'unsupported_value',
        'The engine behind this service has filtered the reply because of its content. Change the messages.',
        { param: 'messages', cause: fault },
      )
    case 'errored':
    case 'noReply':
      return engineFailed(fault, { costsNothing: true })
    case 'wrongCalls':
    case 'failed':
      return engineFailed(fault)
  }
}

/** Returns the error for a reply of which the caller has a part. An upstream cannot refuse such a request any more. */
export function toErrorOfPart(fault: UpstreamFault): ServiceError {
  if (fault.kind !== 'filtered') return engineFailed(fault)
  return new ServiceError(
    'engine_failed',
    'The engine behind this service has filtered the rest of the reply because of its content. Change the messages.',
    { cause: fault },
  )
}

function engineFailed(fault: UpstreamFault, { costsNothing = false } = {}): ServiceError {
  return new ServiceError(
    'engine_failed',
    'The engine behind this service failed during this request. Try again.',
    { costsNothing, cause: fault },
  )
}

const faultOfStatus: Readonly<Record<number, readonly [FaultKind, string]>> = {
  400: ['refused', 'status 400'],
  401: ['errored', 'status 401: check PIPIT_UPSTREAM_KEY'],
  403: ['errored', 'status 403: check PIPIT_UPSTREAM_KEY'],
  404: ['errored', 'status 404: check PIPIT_UPSTREAM_URLS and PIPIT_UPSTREAM_MODEL'],
  413: ['tooLong', 'status 413'],
  422: ['refused', 'status 422'],
  429: ['busy', 'status 429'],
  502: ['busy', 'status 502'],
  503: ['busy', 'status 503'],
  504: ['busy', 'status 504'],
  529: ['busy', 'status 529'],
}

/**
 * Returns the fault for an HTTP status, or for the code in an error event.
 * @param text the upstream's description, only searched for signs of a prompt that is too long
 */
export function faultOf(status: number, text: string, retryAfterMs?: number): UpstreamFault {
  if (status >= 300 && status < 400)
    return new UpstreamFault('noReply', `status ${status}: redirects are not followed`)
  const [kind, reason] = faultOfStatus[status] ?? [
    status < 400 ? 'noReply' : 'errored',
    `status ${status}`,
  ]
  const isTooLong = kind === 'refused' && /context (length|size|window)|max_model_len/i.test(text)
  return isTooLong
    ? new UpstreamFault('tooLong', reason)
    : new UpstreamFault(kind, reason, retryAfterMs)
}

/** Parses `Retry-After` as seconds or a date, and returns it in ms, at most an hour. Returns undefined if invalid. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d{1,6}$/.test(header) ? 1000 * Number(header) : Date.parse(header) - nowMs
  return Number.isFinite(ms) ? Math.min(3_600_000, Math.max(0, ms)) : undefined
}
