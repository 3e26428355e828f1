import type { IncomingHttpHeaders } from 'node:http'
import { requestTimeoutMsMax } from '../../completions/admission/queue-limits.ts'
import { ServiceError } from '../../errors.ts'

/**
 * Returns the time that the caller allows for its request, in ms from its arrival, or undefined. If several headers are
 * sent, the smallest value counts. The official SDKs add a header on their own, in seconds: the one for Node
 * `X-Stainless-Timeout`, the one for Python `X-Stainless-Read-Timeout`. An invalid value there is ignored, and 0 stands
 * for less than a second. They allow that time for the whole reply, but of a stream only for its headers or for each pause,
 * so for a stream it does not count.
 * @throws ServiceError invalid_value
 */
export function requestTimeoutMsOf(
  headers: IncomingHttpHeaders,
  isStream: boolean,
): number | undefined {
  const ours = headers['x-request-timeout-ms']
  const theirs = isStream
    ? undefined
    : (headers['x-stainless-timeout'] ?? headers['x-stainless-read-timeout'])
  if (ours === undefined && theirs === undefined) return undefined
  const timeoutMs = Math.min(ours === undefined ? Infinity : ownMs(ours), sdkMs(theirs))
  return timeoutMs === Infinity ? undefined : timeoutMs
}

function ownMs(value: string | string[]): number {
  const timeoutMs = typeof value === 'string' && /^\d{1,8}$/.test(value) ? Number(value) : 0
  if (timeoutMs >= 1 && timeoutMs <= requestTimeoutMsMax) return timeoutMs
  throw new ServiceError(
    'invalid_value',
    `Send one \`X-Request-Timeout-Ms\`, a whole number from 1 to ${requestTimeoutMsMax}.`,
  )
}

function sdkMs(value: string | string[] | undefined): number {
  if (typeof value !== 'string' || !/^\d{1,8}(\.\d{1,6})?$/.test(value)) return Infinity
  const seconds = Number(value)
  return 1000 * (seconds === 0 ? 1 : seconds)
}
