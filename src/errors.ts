/** Errors of a body that does not match its schema. */
export const invalidBodyCodes = [
  'invalid_json',
  'missing_required_parameter',
  'empty_array',
  'array_above_max_length',
  'string_above_max_length',
  'invalid_type',
  'invalid_value',
  'integer_above_max_value',
  'integer_below_min_value',
  'decimal_above_max_value',
  'decimal_below_min_value',
] as const

/** Errors of a request that is itself invalid: if it is sent again, it fails again. */
const invalidRequestCodes = [
  ...invalidBodyCodes,
  'unsupported_parameter',
  'unsupported_value',
  'context_length_exceeded',
  'bad_request',
] as const

/** Errors of the API for callers with an API key. */
const apiErrorCodes = [
  ...invalidRequestCodes,
  'missing_api_key',
  'invalid_api_key',
  'insufficient_permissions',
  'model_not_found',
  'request_not_found',
  'unknown_url',
  'method_not_supported',
  'request_timeout',
  'idempotency_in_progress',
  'request_too_large',
  'unsupported_media_type',
  'idempotency_mismatch',
  'rate_limit_exceeded',
  'insufficient_quota',
  'headers_too_large',
  'engine_failed',
  'internal_error',
  'overloaded',
  'model_loading',
  'shutting_down',
  'ledger_unavailable',
  'timeout',
] as const

/** Errors of the developer panel only. */
export const panelErrorCodes = [
  'too_many_keys',
  'key_revoked',
  'key_changed',
  'session_required',
  'invalid_credentials',
  'invalid_code',
  'account_disabled',
  'host_not_allowed',
  'origin_not_allowed',
  'email_unverified',
  'sign_up_closed',
  'not_found',
  'email_taken',
  'model_busy',
  'link_expired',
  'too_many_attempts',
  'oidc_unavailable',
] as const

/**
 * All errors that a caller can get, as docs/api.md lists them. `http/reply/error-response.ts` has their HTTP status.
 */
export const errorCodes = [...apiErrorCodes, ...panelErrorCodes] as const

export type ErrorCode = (typeof errorCodes)[number]

const invalidRequests: ReadonlySet<ErrorCode> = new Set(invalidRequestCodes)

export function isInvalidRequest(code: ErrorCode): boolean {
  return invalidRequests.has(code)
}

/**
 * Reason why admission control or the queue refused a request, for operators. Each running or waiting request has a
 * place. `no_place`: all places are taken. `place_share`: the key or account has used up its share of the places.
 * `body_bytes`: large requests in progress take too many bytes. `logprob_bytes`: logprobs of whole replies in progress
 * take too many bytes. `predicted_wait`: the expected wait is too long. `queue_timeout`: the request has waited too long. `deadline`: the reply would miss the caller's deadline.
 */
export type DropReason =
  | 'no_place'
  | 'place_share'
  | 'body_bytes'
  | 'logprob_bytes'
  | 'predicted_wait'
  | 'queue_timeout'
  | 'deadline'

type ServiceErrorOptions = {
  /** Path of the offending field, e.g. `messages[0].content`. */
  param?: string
  /** Time after which a retry may succeed; Infinity for never. `Retry-After` is at most 60 s. A 503 adds jitter. */
  retryAfterMs?: number
  /** The kind of limit that was reached. In the response it replaces the `type` of the code. */
  type?: 'tokens' | 'requests'
  /** Sent in the header `x-drop-reason`. */
  dropReason?: DropReason
  /** A proof of work that lets the caller try again at once; sent in the header `pipit-challenge`. */
  challenge?: string
  /** True if an engine has failed before it computed anything, so the request costs no prompt tokens. */
  costsNothing?: boolean
  /** Written to the log, never sent to the caller. */
  cause?: unknown
}

/** A failure to report to the caller. `message` is public and never contains a key, a prompt or a stack trace. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly param: string | null
  readonly retryAfterMs: number | undefined
  readonly dropReason: DropReason | undefined
  readonly challenge: string | undefined
  readonly type: 'tokens' | 'requests' | undefined
  readonly costsNothing: boolean

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.param = options.param ?? null
    this.retryAfterMs = options.retryAfterMs
    this.dropReason = options.dropReason
    this.challenge = options.challenge
    this.type = options.type
    this.costsNothing = options.costsNothing ?? false
  }
}

/**
 * Returns the error for a prompt that is too long. Clients such as LiteLLM recognise it by the first words of its
 * message.
 * @param count the number of the prompt's tokens, or `at least` a number
 * @param options `needs`: a clause that says how much room a reply needs
 */
export function contextLengthExceeded(
  count: string,
  contextTokens: number,
  options: { param?: 'messages' | 'text'; needs?: string } = {},
): ServiceError {
  const { param = 'messages', needs = 'a reply needs room for at least one more' } = options
  const counted = param === 'text' ? 'Your text has' : 'Your messages have'
  return new ServiceError(
    'context_length_exceeded',
    `This model's maximum context length is ${contextTokens} tokens. ${counted} ${count} tokens, ` +
      `and ${needs}. Shorten the ${param}.`,
    { param },
  )
}

export function shuttingDown({ costsNothing = false } = {}): ServiceError {
  return new ServiceError('shutting_down', 'The service is shutting down. Try again in a moment.', {
    retryAfterMs: 2000,
    costsNothing,
  })
}

export function requestTimeout(): ServiceError {
  return new ServiceError('request_timeout', 'The request did not arrive in time.')
}

/** Aborts the start of the service or a command. The message is one sentence for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly exitCode: number

  constructor(message: string, options: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options)
    this.exitCode = options.exitCode ?? 1
  }
}

/** The exit code is `EX_CONFIG` of sysexits.h, with which a supervisor need not start the service again. */
export function wrongSetting(message: string): StartError {
  return new StartError(message, { exitCode: 78 })
}

/**
 * Returns Node's code of the fault if a connection failed because of the server's certificate, such as
 * `DEPTH_ZERO_SELF_SIGNED_CERT`; else undefined.
 * @param error error of a socket, or of `fetch`, whose cause is the socket's
 */
export function untrustedCertificate(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /CERT|SELF_SIGNED|UNABLE_TO_/.test(code) ? code : untrustedCertificate(error.cause)
}
