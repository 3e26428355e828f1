import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Interruption } from '../completions/interruption.ts'
import { ServiceError } from '../errors.ts'
import { requestBytesMax } from '../limits.ts'
import type { Logger } from '../telemetry/logger.ts'
import { toQueryError } from './request/query.ts'
import { toValidationError } from './request/validation-error.ts'

const retryAfterMsMax = 60_000
const retryAfterMsDefault = 1000

/** Turns an error into a reply. No other code does. */
export function handleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): FastifyReply {
  const failure = toServiceError(error, request)
  if (failure.status === 500) logger.error('a request failed', { requestId: request.id, error })
  return reply
    .code(failure.status)
    .headers(errorHeaders(failure))
    .header('content-type', 'application/json; charset=utf-8')
    .send(failure.toBody())
}

export function toServiceError(error: unknown, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof Interruption) return error.toServiceError()
  if (isFastifyError(error)) {
    const [fault] = error.validation ?? []
    if (fault !== undefined)
      return error.validationContext === 'querystring'
        ? toQueryError(fault, request.query)
        : toValidationError(fault, request.body)
    const known = fastifyFailure(error)
    if (known !== undefined) return known
  }
  return new ServiceError('internal_error', 'Something went wrong on our side. Try again.', {
    cause: error,
  })
}

function errorHeaders(failure: ServiceError): Record<string, string> {
  switch (failure.status) {
    case 401:
      return isKeyError(failure) ? { 'www-authenticate': 'Bearer' } : {}
    case 409:
    case 429:
      return failure.code === 'insufficient_quota' || failure.retryAfterMs === Infinity
        ? { 'x-should-retry': 'false' }
        : retryHeaders(failure.retryAfterMs ?? retryAfterMsDefault)
    case 503:
      return retryHeaders(spread(failure.retryAfterMs ?? retryAfterMsDefault))
    default:
      return {}
  }
}

export function unknownUrl(): ServiceError {
  return new ServiceError(
    'unknown_url',
    'There is nothing at this URL. Completions are at /v1/chat/completions.',
  )
}

/** Only these errors name the `Bearer` scheme: it makes some browsers show a password dialog. */
function isKeyError({ code }: ServiceError): boolean {
  return code === 'missing_api_key' || code === 'invalid_api_key'
}

/** Adds up to 50 % jitter, so that callers refused at the same time do not retry at the same time. */
function spread(ms: number): number {
  return ms * (1 + Math.random() / 2)
}

function retryHeaders(ms: number): Record<string, string> {
  const inBounds = Math.min(Math.max(1, Math.round(ms)), retryAfterMsMax)
  return {
    'retry-after': String(Math.ceil(inBounds / 1000)),
    'retry-after-ms': String(inBounds),
  }
}

function fastifyFailure(error: FastifyError): ServiceError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError(
        'request_too_large',
        `The body is larger than the maximum of ${requestBytesMax} bytes.`,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('unsupported_media_type', 'Send the body as `application/json`.')
    case 'FST_ERR_BAD_URL':
      return new ServiceError('bad_request', 'The path of the URL has invalid percent-encoding.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return unknownUrl()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ServiceError(
        'bad_request',
        'The body does not have the length in `Content-Length`.',
      )
    default:
      return undefined
  }
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
