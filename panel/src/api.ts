const timeoutMs = 30_000

/** Fired on `window` when the service no longer knows this browser's session. */
export const sessionEndedEvent = 'pipit:session-ended'

/** What the service refused, in its own words; `unreachable` when there was no reply at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly param: string | undefined

  constructor(status: number, code: string, message: string, param?: string) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
  }
}

/** @throws ApiError */
export async function getJson<Reply>(path: string, signal?: AbortSignal): Promise<Reply> {
  const response = await request(path, {}, withTimeout(signal))
  return readJson<Reply>(response)
}

/** @throws ApiError */
export async function postJson<Reply>(
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Reply> {
  const response = await request(path, jsonBody(body), withTimeout(signal))
  return readJson<Reply>(response)
}

/**
 * A reply whose body the caller reads as it comes. No time limit of its own: pass a signal.
 * @throws ApiError
 */
export function postForStream(path: string, body: object, signal: AbortSignal): Promise<Response> {
  return request(path, jsonBody(body), signal)
}

/** Query parameters that are set, as `?a=1&b=2`. */
export function queryString(parameters: Record<string, string | number | undefined>): string {
  const set = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`
}

function jsonBody(body: object): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

function withTimeout(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}

async function request(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, { ...init, signal })
  } catch (error) {
    throw toApiError(error, signal)
  }
  if (response.ok) return response
  const failure = await readFailure(response)
  if (failure.code === 'session_required') window.dispatchEvent(new Event(sessionEndedEvent))
  throw failure
}

/** What the caller aborted itself stays what it is: nobody is told of it. */
function toApiError(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new ApiError(0, 'timeout', 'The service did not answer in time. Try again.')
  if (signal.aborted) return error
  return new ApiError(
    0,
    'unreachable',
    'The service cannot be reached. Check that it is running and that you are online, then try again.',
  )
}

async function readFailure(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  if (isErrorBody(body)) {
    const { message, code, param } = body.error
    return new ApiError(response.status, code ?? 'unknown', message, param ?? undefined)
  }
  return new ApiError(
    response.status,
    'unknown',
    `The service answered with status ${response.status}. Try again in a moment.`,
  )
}

function isErrorBody(
  body: unknown,
): body is { error: { message: string; code: string | null; param: string | null } } {
  return (
    typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    typeof body.error === 'object' &&
    body.error !== null &&
    'message' in body.error &&
    typeof body.error.message === 'string'
  )
}

async function readJson<Reply>(response: Response): Promise<Reply> {
  try {
    // The panel and the service are built from the same types, so what it sends is not checked again.
    return (await response.json()) as Reply
  } catch {
    throw new ApiError(response.status, 'unreachable', 'The reply was cut off. Try again.')
  }
}
