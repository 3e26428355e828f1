/** Errors of the API for callers with an API key. */
const apiErrors = {
  invalid_json: { status: 400, type: 'invalid_request_error' },
  missing_required_parameter: { status: 400, type: 'invalid_request_error' },
  empty_array: { status: 400, type: 'invalid_request_error' },
  array_above_max_length: { status: 400, type: 'invalid_request_error' },
  string_above_max_length: { status: 400, type: 'invalid_request_error' },
  invalid_type: { status: 400, type: 'invalid_request_error' },
  invalid_value: { status: 400, type: 'invalid_request_error' },
  integer_above_max_value: { status: 400, type: 'invalid_request_error' },
  integer_below_min_value: { status: 400, type: 'invalid_request_error' },
  decimal_above_max_value: { status: 400, type: 'invalid_request_error' },
  decimal_below_min_value: { status: 400, type: 'invalid_request_error' },
  unsupported_parameter: { status: 400, type: 'invalid_request_error' },
  unsupported_value: { status: 400, type: 'invalid_request_error' },
  context_length_exceeded: { status: 400, type: 'invalid_request_error' },
  bad_request: { status: 400, type: 'invalid_request_error' },
  missing_api_key: { status: 401, type: 'invalid_request_error' },
  invalid_api_key: { status: 401, type: 'invalid_request_error' },
  insufficient_permissions: { status: 403, type: 'invalid_request_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  request_not_found: { status: 404, type: 'invalid_request_error' },
  unknown_url: { status: 404, type: 'invalid_request_error' },
  method_not_supported: { status: 405, type: 'invalid_request_error' },
  request_timeout: { status: 408, type: 'invalid_request_error' },
  idempotency_in_progress: { status: 409, type: 'invalid_request_error' },
  request_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  idempotency_mismatch: { status: 422, type: 'invalid_request_error' },
  rate_limit_exceeded: { status: 429, type: 'requests' },
  insufficient_quota: { status: 429, type: 'insufficient_quota' },
  headers_too_large: { status: 431, type: 'invalid_request_error' },
  engine_failed: { status: 500, type: 'server_error' },
  internal_error: { status: 500, type: 'server_error' },
  overloaded: { status: 503, type: 'server_error' },
  model_loading: { status: 503, type: 'server_error' },
  shutting_down: { status: 503, type: 'server_error' },
  ledger_unavailable: { status: 503, type: 'server_error' },
  timeout: { status: 504, type: 'server_error' },
} as const satisfies Catalogue

/** Errors of the developer panel only. */
export const panelErrors = {
  session_required: { status: 401, type: 'invalid_request_error' },
  invalid_credentials: { status: 401, type: 'invalid_request_error' },
  invalid_code: { status: 401, type: 'invalid_request_error' },
  account_disabled: { status: 403, type: 'invalid_request_error' },
  host_not_allowed: { status: 403, type: 'invalid_request_error' },
  origin_not_allowed: { status: 403, type: 'invalid_request_error' },
  email_unverified: { status: 403, type: 'invalid_request_error' },
  sign_up_closed: { status: 403, type: 'invalid_request_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  email_taken: { status: 409, type: 'invalid_request_error' },
  model_busy: { status: 409, type: 'invalid_request_error' },
  link_expired: { status: 410, type: 'invalid_request_error' },
  too_many_attempts: { status: 429, type: 'requests' },
  oidc_unavailable: { status: 503, type: 'server_error' },
} as const satisfies Catalogue

type Catalogue = Readonly<Record<string, { status: number; type: string }>>

/** All errors that a caller can get, with the status and `type` that docs/api.md lists. */
export const errorCatalogue = { ...apiErrors, ...panelErrors }

export type ErrorCode = keyof typeof errorCatalogue

/**
 * Why the queue in front of the engine refused a request, for operators: no place is free, the share of its key or
 * account is used up, its wait would be too long, it was, or it would miss the caller's deadline.
 */
export type DropReason =
  | 'no_place'
  | 'place_share'
  | 'body_bytes'
  | 'predicted_wait'
  | 'queue_timeout'
  | 'deadline'

type ServiceErrorOptions = {
  /** Path of the offending field, e.g. `messages[0].content`. */
  param?: string
  /** Time after which a retry may succeed; Infinity for never. `Retry-After` is at most 60 s; a 503 adds jitter. */
  retryAfterMs?: number
  /** Replaces the `type` of the catalogue. */
  type?: 'tokens' | 'requests'
  /** Sent in the header `x-drop-reason`. */
  dropReason?: DropReason
  /** A proof of work that lets the caller try again at once; sent in the header `pipit-challenge`. */
  challenge?: string
  /** Written to the log, never sent to the caller. */
  cause?: unknown
}

/** A failure to report to the caller. `message` is public and never contains a key, a prompt or a stack. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly param: string | null
  readonly retryAfterMs: number | undefined
  readonly dropReason: DropReason | undefined
  readonly challenge: string | undefined
  readonly #type: string

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.param = options.param ?? null
    this.retryAfterMs = options.retryAfterMs
    this.dropReason = options.dropReason
    this.challenge = options.challenge
    this.#type = options.type ?? errorCatalogue[code].type
  }

  get status(): number {
    return errorCatalogue[this.code].status
  }

  toBody(): ErrorBody {
    return {
      error: { message: this.message, type: this.#type, param: this.param, code: this.code },
    }
  }
}

/**
 * Clients such as LiteLLM recognise the error by the first words of its message.
 * @param count the number of the prompt's tokens, or `at least` a number
 */
export function contextLengthExceeded(
  count: string,
  contextTokens: number,
  param: 'messages' | 'text' = 'messages',
): ServiceError {
  const counted = param === 'text' ? 'Your text has' : 'Your messages have'
  return new ServiceError(
    'context_length_exceeded',
    `This model's maximum context length is ${contextTokens} tokens. ${counted} ${count} tokens, ` +
      `and a reply needs room for at least one more. Shorten the ${param}.`,
    { param },
  )
}

export function shuttingDown(): ServiceError {
  return new ServiceError('shutting_down', 'The service is shutting down. Try again in a moment.', {
    retryAfterMs: 2000,
  })
}

export type ErrorBody = {
  error: { message: string; type: string; param: string | null; code: string | null }
}

/** Stops the start of the service. The message is one sentence for the operator; the exit code is 1. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
