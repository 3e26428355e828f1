import type { ErrorCode } from '../../errors.ts'
import { errorCatalogue } from '../reply/error-response.ts'
import { modelId } from '../../protocol/chat/model-id.ts'
import type { JsonObject } from './openapi.ts'

type Guide = {
  /** The cause, for a developer who finds the code in a log. */
  readonly why: string
  /** The developer's next step. */
  readonly fix: string
  /** Example of a message that a caller can get. */
  readonly message: string
  readonly param?: string
}

/** Cause and fix for each error code. A code without a row does not compile. */
const guides: Readonly<Record<ErrorCode, Guide>> = {
  invalid_json: {
    why: 'The body is not valid JSON in UTF-8, is not an object, or is nested too deeply.',
    fix: 'Send one JSON object. Let a JSON library write it.',
    message: 'The body is not valid JSON (in UTF-8).',
  },
  missing_required_parameter: {
    why: 'A required field is missing.',
    fix: 'Add the field that `param` names.',
    message: 'Missing required parameter: `messages`.',
    param: 'messages',
  },
  empty_array: {
    why: 'A list that needs at least one element is empty.',
    fix: 'Add an element to the list that `param` names.',
    message: '`messages` must have at least one element.',
    param: 'messages',
  },
  array_above_max_length: {
    why: 'A list or an object has too many elements.',
    fix: 'Send fewer elements. The message has the maximum.',
    message: '`stop` has too many elements. The maximum is 4.',
    param: 'stop',
  },
  string_above_max_length: {
    why: 'A text is too long.',
    fix: 'Shorten the text that `param` names. The message has the maximum.',
    message: '`user` is too long. The maximum is 512 characters.',
    param: 'user',
  },
  invalid_type: {
    why: 'A field has the wrong JSON type.',
    fix: 'Send the type that the message names.',
    message: 'Invalid type for `temperature`: expected a number, got a string.',
    param: 'temperature',
  },
  invalid_value: {
    why: 'A field has a value that is not one of the allowed ones.',
    fix: 'Send a value that the message names.',
    message:
      'Invalid value for `messages[0].role`: it must be one of `system`, `developer`, `user`, `assistant`, `tool`.',
    param: 'messages[0].role',
  },
  integer_above_max_value: {
    why: 'A whole number is above its maximum. The service never lowers a value by itself.',
    fix: 'Send a smaller number. The message has the maximum.',
    message: '`max_tokens` must be at most 2048.',
    param: 'max_tokens',
  },
  integer_below_min_value: {
    why: 'A whole number is below its minimum. For `max_tokens`, no reply in the requested format may fit.',
    fix: 'Send a larger number. The message has the minimum.',
    message: '`max_tokens` must be at least 1.',
    param: 'max_tokens',
  },
  decimal_above_max_value: {
    why: 'A number is above its maximum. The service never lowers a value by itself.',
    fix: 'Send a smaller number. The message has the maximum.',
    message: '`temperature` must be at most 1.',
    param: 'temperature',
  },
  decimal_below_min_value: {
    why: 'A number is below its minimum. The service never raises a value by itself.',
    fix: 'Send a larger number. The message has the minimum.',
    message: '`temperature` must be at least 0.',
    param: 'temperature',
  },
  unsupported_parameter: {
    why: 'The service knows this parameter, but cannot give it the effect that it has elsewhere.',
    fix: 'Leave it out, or use what the message names instead.',
    message:
      '`repetition_penalty` is not supported with this value. Use `presence_penalty` or `frequency_penalty`.',
    param: 'repetition_penalty',
  },
  unsupported_value: {
    why: 'The value is valid elsewhere, but this service cannot honour it. Often it is a keyword of a JSON Schema.',
    fix: 'Change the part that `param` names.',
    message: 'The JSON Schema cannot be enforced: lookbehind is not supported.',
    param: 'response_format.json_schema.schema.properties.name.pattern',
  },
  context_length_exceeded: {
    why: 'The messages leave no room for a reply in the context window.',
    fix: 'Shorten the messages or leave out the oldest ones. Count them first with the pre-flight request.',
    message:
      "This model's maximum context length is 4096 tokens. Your messages have 5004 tokens, and a reply needs room for at least one more. Shorten the messages.",
    param: 'messages',
  },
  bad_request: {
    why: 'The request is not valid HTTP, or the connection closed before its body was complete.',
    fix: 'Use an HTTP library, and check proxies between you and the service.',
    message: 'This is not a valid HTTP request.',
  },
  missing_api_key: {
    why: 'The request has no API key.',
    fix: 'Send the header `Authorization: Bearer <API_KEY>`.',
    message:
      'Incorrect API key provided: there is none. Send the header `Authorization: Bearer <API_KEY>`.',
  },
  invalid_api_key: {
    why: 'The API key is wrong, revoked or expired, or its account is disabled.',
    fix: 'Check that the key is complete. Otherwise create or rotate a key in the panel.',
    message: 'Incorrect API key provided. Check that it is complete and not revoked.',
  },
  insufficient_permissions: {
    why: 'The key lacks the scope of this URL: `chat` for completions and tokens, `read` for receipts.',
    fix: 'Use a key that has the scope that the message names.',
    message: 'This URL needs the scope `read`. Use an API key that has it.',
  },
  model_not_found: {
    why: 'There is no model of this name. The API has one name for its model, whichever weights serve it.',
    fix: `Send \`${modelId}\`.`,
    message: `The model does not exist. Use \`${modelId}\`.`,
    param: 'model',
  },
  request_not_found: {
    why: 'Your account has no request with this id, or its receipt has expired.',
    fix: 'Check the `x-request-id` of the reply, and that the key belongs to the same account.',
    message: 'This account has no such request, or its receipt has expired.',
    param: 'request_id',
  },
  unknown_url: {
    why: 'There is nothing at this path.',
    fix: 'Check the base URL. It ends with `/v1`.',
    message: 'There is nothing at this URL. Completions are at /v1/chat/completions.',
  },
  method_not_supported: {
    why: 'The path exists, but not with this method.',
    fix: 'Use a method of the header `Allow`.',
    message: 'This URL supports only POST.',
  },
  request_timeout: {
    why: 'The request did not arrive completely in time.',
    fix: 'Send it again. Check the network if it happens often.',
    message: 'The request did not arrive in time.',
  },
  idempotency_in_progress: {
    why: 'A request with this `Idempotency-Key` is still running.',
    fix: 'Wait as long as `Retry-After` says, then send the same request again to get its reply.',
    message:
      'A request with this Idempotency-Key is still running. Retry shortly to get its reply.',
  },
  request_too_large: {
    why: 'The body has too many bytes.',
    fix: 'Send a smaller body. The message has the maximum.',
    message: 'The body is larger than the maximum of 1048576 bytes.',
  },
  unsupported_media_type: {
    why: 'The body is not declared as JSON.',
    fix: 'Send the header `Content-Type: application/json`.',
    message: 'Send the body as JSON with the header `Content-Type: application/json`.',
  },
  idempotency_mismatch: {
    why: 'This `Idempotency-Key` was already used with another body.',
    fix: 'Use a new value for each new request, and the same value only for a retry.',
    message: 'This Idempotency-Key was used with another body. Use a new key for a new request.',
  },
  rate_limit_exceeded: {
    why: 'The key or its account has reached a limit per minute, of parallel requests, or of waiting requests.',
    fix: 'Wait as long as `Retry-After` says. With `x-should-retry: false`, make the request smaller.',
    message: 'Limit reached for this API key: 60 requests per minute. Retry in 1 s.',
  },
  insufficient_quota: {
    why: 'The key or its account has used up its tokens of the day or the month (UTC).',
    fix: 'Wait for the next day or month, or ask for a higher limit.',
    message: 'Limit reached for this API key: 100000 tokens per day (UTC), 0 left.',
  },
  headers_too_large: {
    why: 'The request has too many headers, or they have too many bytes.',
    fix: 'Remove cookies and headers that the API does not need.',
    message: 'The request headers are too large.',
  },
  engine_failed: {
    why: 'The engine failed while it worked on this request, and could not continue it.',
    fix: 'Send it again. If the same request fails again, change it.',
    message: 'The engine could not continue this request. Try again.',
  },
  internal_error: {
    why: 'The service has a bug. Its log has the cause under the `x-request-id`.',
    fix: 'Send it again. If it fails again, report the `x-request-id` to the operator.',
    message: 'Something went wrong on our side. Try again.',
  },
  overloaded: {
    why: 'The queue is full, the wait would be too long (the header `x-drop-reason` says which), or the machine was too busy to read the request.',
    fix: 'Wait as long as `Retry-After` says, then send it again.',
    message: 'All places are taken. Try again in a moment.',
  },
  model_loading: {
    why: 'The model is being loaded, after a start or a switch.',
    fix: 'Wait as long as `Retry-After` says, then send it again.',
    message: 'The model is being loaded. Try again in a moment.',
  },
  shutting_down: {
    why: 'The service is shutting down and accepts no new requests.',
    fix: 'Send it again after a moment, when the next process serves.',
    message: 'The service is shutting down. Try again in a moment.',
  },
  ledger_unavailable: {
    why: 'The usage cannot be written, so the request is refused instead of running uncounted.',
    fix: 'Send it again. The operator checks the disk with `pipit doctor`.',
    message: 'Usage cannot be recorded at the moment. Try again shortly.',
  },
  timeout: {
    why: 'The reply took longer than the service allows.',
    fix: 'Ask for fewer tokens, or send it again when the service is less busy.',
    message: 'The reply took too long. Ask for fewer tokens, or try again.',
  },
  too_many_keys: {
    why: 'The account or the service has as many API keys as it may have.',
    fix: 'Revoke a key that is no longer used.',
    message: 'This account already has 1000 API keys. Revoke one that is no longer used.',
  },
  key_revoked: {
    why: 'The API key is revoked. Revoked keys cannot be changed.',
    fix: 'Create another key.',
    message: 'The API key key_0123456789abcdef01234567 is revoked. Create another one.',
  },
  key_changed: {
    why: 'Another request changed the API key at the same time.',
    fix: 'Look at the key, then try again.',
    message:
      'The API key key_0123456789abcdef01234567 was changed at the same time. Check it and try again.',
  },
  session_required: {
    why: 'The panel has no session, or it has ended.',
    fix: 'Sign in again.',
    message: 'Sign in again. This session has ended.',
  },
  invalid_credentials: {
    why: 'The e-mail address or the password is wrong, or the user has no password.',
    fix: 'Check both. An admin can create a password reset link.',
    message: 'Incorrect e-mail address or password.',
  },
  invalid_code: {
    why: 'The two-factor code is wrong or has expired.',
    fix: 'Enter the current code, or a backup code.',
    message: 'Backup code incorrect or already used.',
  },
  account_disabled: {
    why: 'An admin has disabled the account.',
    fix: 'Ask an admin to enable it.',
    message: 'This account is disabled. Ask an admin of this service.',
  },
  host_not_allowed: {
    why: 'The host name of the address is not one of the names of the service.',
    fix: 'The operator adds it with `PIPIT_PUBLIC_URL` or `PIPIT_ALLOWED_HOSTS`.',
    message: 'This host name is not allowed.',
  },
  origin_not_allowed: {
    why: 'A page of another origin called the API of the panel.',
    fix: 'Use an API key and the URLs under `/v1`. They accept every origin.',
    message: 'The header `Origin` is missing. Only pages of the panel may do this.',
  },
  email_unverified: {
    why: 'The OIDC issuer has not verified the e-mail address.',
    fix: 'Verify the address at the issuer, then sign in again.',
    message:
      'The sign-in provider has not verified this e-mail address. Verify it there, then sign in again.',
  },
  sign_up_closed: {
    why: 'Sign-up is closed, or needs an invite.',
    fix: 'Ask an admin for an invite.',
    message: 'Sign-up is closed. Ask an admin for an account or an invite.',
  },
  not_found: {
    why: 'Your account has no such object.',
    fix: 'Reload the page. The object may have been removed.',
    message: 'This session has already ended.',
  },
  email_taken: {
    why: 'The e-mail address belongs to another user.',
    fix: 'Use another address, or sign in with it.',
    message: 'An account with this e-mail address exists. Sign in, or use another address.',
  },
  model_busy: {
    why: 'The model is in use, or another one is being loaded or pulled.',
    fix: 'Wait until it has finished, then try again.',
    message: 'Another model is being loaded. Wait until it is loaded, then choose again.',
  },
  link_expired: {
    why: 'The link was used, has expired or was replaced.',
    fix: 'Ask an admin for a new link.',
    message:
      'This link is no longer valid: it was used, has expired or was replaced. Ask for a new one.',
  },
  too_many_attempts: {
    why: 'There were too many wrong passwords, codes or links.',
    fix: 'Wait as long as `Retry-After` says.',
    message: 'Too many failed attempts. Try again in 8 s.',
  },
  oidc_unavailable: {
    why: 'The OIDC issuer does not answer.',
    fix: 'Sign in with a password, or try again later.',
    message: 'The sign-in service does not answer.',
  },
}

/**
 * Returns `components.examples` of the document, with one error response for each error code. `summary` gives the
 * cause, `description` the fix and `x-status` the HTTP status.
 */
export function errorExamples(): JsonObject {
  return Object.fromEntries(
    Object.entries(guides).map(([code, { why, fix, message, param = null }]) => {
      // Object.entries widens the record's keys to `string`.
      const { status, type } = errorCatalogue[code as ErrorCode]
      const value = { error: { message, type, param, code } }
      return [code, { summary: why, description: fix, value, 'x-status': status }]
    }),
  )
}
