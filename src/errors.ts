/** Of the API that a key opens. */
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

/** Of the developer panel alone. */
export const panelErrors = {
  session_required: { status: 401, type: 'invalid_request_error' },
  invalid_credentials: { status: 401, type: 'invalid_request_error' },
  invalid_code: { status: 401, type: 'invalid_request_error' },
  account_disabled: { status: 403, type: 'invalid_request_error' },
  origin_not_allowed: { status: 403, type: 'invalid_request_error' },
  sign_up_closed: { status: 403, type: 'invalid_request_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  email_taken: { status: 409, type: 'invalid_request_error' },
  link_expired: { status: 410, type: 'invalid_request_error' },
  too_many_attempts: { status: 429, type: 'requests' },
  oidc_unavailable: { status: 503, type: 'server_error' },
} as const satisfies Catalogue

type Catalogue = Readonly<Record<string, { status: number; type: string }>>

/** Every error a caller can meet: status and `type` as docs/api.md lists them. */
export const errorCatalogue = { ...apiErrors, ...panelErrors }

export type ErrorCode = keyof typeof errorCatalogue

export type ServiceErrorOptions = {
  /** Path of the offending field, e.g. `messages[0].content`. */
  param?: string
  /** When a repeat may help; Infinity: never. The HTTP side clamps it to 60 s; 503 adds jitter. */
  retryAfterMs?: number
  /** In place of the catalogue's. */
  type?: 'tokens' | 'requests'
  /** For the log only. */
  cause?: unknown
}

/** A failure the caller may see: `message` is public and never holds a key, a prompt or a stack. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly param: string | null
  readonly retryAfterMs: number | undefined
  readonly #type: string

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.param = options.param ?? null
    this.retryAfterMs = options.retryAfterMs
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

export function shuttingDown(): ServiceError {
  return new ServiceError('shutting_down', 'The service is shutting down. Try again in a moment.', {
    retryAfterMs: 2000,
  })
}

export type ErrorBody = {
  error: { message: string; type: string; param: string | null; code: string | null }
}

/** A start that cannot go on: one sentence for the operator, exit code 1, no stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
