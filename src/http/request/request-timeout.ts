import type { IncomingHttpHeaders } from 'node:http'
import { requestTimeoutMsMax } from '../../completions/admission/queue-limits.ts'
import { ServiceError } from '../../errors.ts'

/**
 * Returns the time that the caller allows for its request, in ms from its arrival, or undefined. If both headers are
 * sent, the smaller value counts. The official SDKs add `X-Stainless-Timeout` on their own, in whole seconds. An
 * invalid value there is ignored, and 0 stands for less than a second.
 * @throws ServiceError invalid_value
 */
export function requestTimeoutMsOf(headers: IncomingHttpHeaders): number | undefined {
  const ours = headers['x-request-timeout-ms']
  const theirs = headers['x-stainless-timeout']
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
