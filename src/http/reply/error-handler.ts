import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Interruption } from '../../completions/interruption.ts'
import { ServiceError } from '../../errors.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { statusOf, toErrorBody } from './error-response.ts'
import { retryHeaders, spread } from './retry-headers.ts'
import { toQueryError } from '../request/query.ts'
import { toValidationError } from '../request/validation-error.ts'

const retryAfterMsDefault = 1000
/** Maximum size of a refused body whose rest is read and dropped. */
const droppedBytesMax = 32 * 1024 * 1024

/** Turns an error into a response. This is the only code that does. */
export function handleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): FastifyReply {
  const failure = toServiceError(error, request)
  const status = statusOf(failure)
  if (status === 500) logger.error('a request failed', { requestId: request.id, error })
  if (canReadRest(request)) reply.removeHeader('connection')
  return reply
    .removeHeader('x-ignored-parameters')
    .code(status)
    .headers(errorHeaders(failure))
    .header('content-type', 'application/json; charset=utf-8')
    .send(toErrorBody(failure))
}

/**
 * Returns true if the rest of the body is short enough to be read and dropped. Otherwise the connection is closed, and a
 * client that is still sending may get a reset instead of the error. Node also closes it if the client still waits for
 * `100 Continue`, and says so only if the header is left to Node.
 */
function canReadRest({ raw, headers }: FastifyRequest): boolean {
  if (headers.expect !== undefined) return false
  return raw.complete || Number(headers['content-length'] ?? Infinity) <= droppedBytesMax
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
  switch (statusOf(failure)) {
    case 401:
      return isKeyError(failure) ? { 'www-authenticate': 'Bearer' } : {}
    case 409:
    case 429:
      return failure.code === 'insufficient_quota' || failure.retryAfterMs === Infinity
        ? { 'x-should-retry': 'false' }
        : {
            ...challengeHeader(failure),
            ...dropHeader(failure),
            ...retryHeaders(retryAfterMs(failure)),
          }
    case 503:
      return { ...dropHeader(failure), ...retryHeaders(retryAfterMs(failure)) }
    default:
      return {}
  }
}

/**
 * Returns how long the caller should wait. For a limit, the time is exact. For an overload, it is an estimate that many
 * callers get at once, so it gets jitter.
 */
function retryAfterMs(failure: ServiceError): number {
  const { retryAfterMs: known = retryAfterMsDefault, dropReason } = failure
  return statusOf(failure) === 503 || dropReason !== undefined ? spread(known) : known
}

function dropHeader({ dropReason }: ServiceError): Record<string, string> {
  return dropReason === undefined ? {} : { 'x-drop-reason': dropReason }
}

export function unknownUrl(): ServiceError {
  return new ServiceError(
    'unknown_url',
    'There is nothing at this URL. Completions are at /v1/chat/completions.',
  )
}

/**
 * Tells if the error is about the API key. Only its response has the header `WWW-Authenticate: Bearer`, because that
 * header makes some browsers show a password dialog.
 */
function isKeyError({ code }: ServiceError): boolean {
  return code === 'missing_api_key' || code === 'invalid_api_key'
}

function challengeHeader({ challenge }: ServiceError): Record<string, string> {
  return challenge === undefined ? {} : { 'pipit-challenge': challenge }
}

function fastifyFailure(error: FastifyError): ServiceError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('unsupported_media_type', 'Send the body as `application/json`.')
    case 'FST_ERR_BAD_URL':
      return new ServiceError('bad_request', 'The path of the URL has invalid percent-encoding.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return unknownUrl()
    default:
      return undefined
  }
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
