import type { ErrorCode, ServiceError } from '../../errors.ts'

/** The status and `type` of each error. */
export const errorCatalogue = {
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
  too_many_keys: { status: 400, type: 'invalid_request_error' },
  key_revoked: { status: 400, type: 'invalid_request_error' },
  key_changed: { status: 400, type: 'invalid_request_error' },
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
} as const satisfies Readonly<Record<ErrorCode, { status: number; type: string }>>

export type ErrorBody = {
  error: { message: string; type: string; param: string | null; code: string | null }
}

export function statusOf({ code }: ServiceError): number {
  return errorCatalogue[code].status
}

export function toErrorBody({ code, message, param, type }: ServiceError): ErrorBody {
  return { error: { message, type: type ?? errorCatalogue[code].type, param, code } }
}
