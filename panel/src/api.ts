import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from '../../src/protocol/operations/contract.ts'
import type { PanelApi } from '../../src/protocol/operations/panel/panel-api.ts'

const timeoutMs = 30_000
/**
 * Maximum number of challenges solved for one request. A second one is needed if attempts by others raise the
 * difficulty while this browser solves the first.
 */
const challengesMax = 3

/** Fired on `window` when the service reports that this browser's session has ended. */
export const sessionEndedEvent = 'pipit:session-ended'

/** Fired on `window` when this browser begins to compute a proof of work, and again when it ends. */
export const proofEvent = 'pipit:proof'

/** The user whose data this tab shows. */
let shownUser: string | undefined

/**
 * Names the user whose data this tab shows. From then on the service refuses the tab's requests with the session of
 * another user, who may sign in in another tab. Without a user it accepts any session.
 */
export function showUser(id: string | undefined): void {
  shownUser = id
}

/** An error from the service with its message. The code is `timeout` or `unreachable` if no usable response came. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly param: string | undefined
  /** The id of the refused request; undefined if no response came. */
  readonly requestId: string | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    { param, requestId }: { param?: string | undefined; requestId?: string | undefined } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
    this.requestId = requestId
  }
}

type ApiName = keyof PanelApi
/** Names of the operations that can respond with an event stream. */
type StreamName = {
  [Name in ApiName]: PanelApi[Name] extends {
    replies: { 200: { content: { 'text/event-stream': unknown } } }
  }
    ? Name
    : never
}[ApiName]

export type ApiReply<Name extends ApiName> = ReplyOf<PanelApi[Name]>
/** Path parameters, query and body of an operation. A part whose members are all optional may be left out. */
export type ApiInput<Name extends ApiName> = Part<'params', ParamsOf<PanelApi[Name]>> &
  Part<'query', Unset<QueryOf<PanelApi[Name]>>> &
  Part<'body', BodyOf<PanelApi[Name]>>

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: undefined }
  : Record<never, never> extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value }
/** Allows undefined query parameters, which are not sent. */
type Unset<Query> = Query extends object ? { [K in keyof Query]: Query[K] | undefined } : Query
type InputArgument<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input]
type ApiRequest = { params?: object | undefined; query?: object | undefined; body?: unknown }

/**
 * Calls one operation and resolves to its response body. The types come from its contract in src/protocol.
 * @throws ApiError
 */
export async function callApi<Name extends ApiName>(
  name: Name,
  ...[input]: InputArgument<ApiInput<Name> & { signal?: AbortSignal }>
): Promise<ApiReply<Name>> {
  const response = await request(name, input ?? {}, () => withTimeout(input?.signal))
  return readJson<ApiReply<Name>>(response)
}

/**
 * Calls one operation and resolves to its response, whose body the caller reads as a stream. Has no timeout.
 * @throws ApiError
 */
export function streamApi<Name extends StreamName>(
  name: Name,
  input: ApiInput<Name>,
  signal: AbortSignal,
): Promise<Response> {
  return request(name, input, () => signal)
}

/** Returns an operation's URL with its path and query parameters filled in. */
export function apiUrl<Name extends ApiName>(
  name: Name,
  ...[input]: InputArgument<Omit<ApiInput<Name>, 'body'>>
): string {
  return urlOf(name, input ?? {})
}

function urlOf(name: ApiName, { params = {}, query = {} }: ApiRequest): string {
  const path = name.slice(name.indexOf(' ') + 1)
  const values = new Map<string, unknown>(Object.entries(params))
  const filled = path.replaceAll(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(String(values.get(key))),
  )
  const set = Object.entries(query).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, String(value)]],
  )
  return set.length === 0 ? filled : `${filled}?${new URLSearchParams(set).toString()}`
}

/** Returns the fetch options for an operation. A POST without a body sends an empty JSON object. */
function initOf(name: ApiName, { body = {} }: ApiRequest, proof: string | undefined): RequestInit {
  const ofUser = shownUser === undefined ? {} : { 'pipit-user': shownUser }
  if (name.startsWith('GET ')) return { headers: ofUser }
  const headers = {
    ...ofUser,
    'content-type': 'application/json',
    ...(proof !== undefined && { 'pipit-proof': proof }),
  }
  return { method: 'POST', headers, body: JSON.stringify(body) }
}

function withTimeout(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}

/** @param newSignal called for each attempt, so that solving a challenge does not count towards the timeout */
async function request(
  name: ApiName,
  input: ApiRequest,
  newSignal: () => AbortSignal,
): Promise<Response> {
  let response = await send(name, input, newSignal())
  for (let solved = 0; solved < challengesMax; solved++) {
    const challenge = response.headers.get('pipit-challenge')
    if (challenge === null) break
    response = await send(name, input, newSignal(), await prove(challenge))
  }
  if (response.ok) return response
  const failure = await readFailure(response)
  if (failure.code === 'session_required') window.dispatchEvent(new Event(sessionEndedEvent))
  throw failure
}

async function send(
  name: ApiName,
  input: ApiRequest,
  signal: AbortSignal,
  proof?: string,
): Promise<Response> {
  try {
    return await fetch(urlOf(name, input), { ...initOf(name, input, proof), signal })
  } catch (error) {
    throw toApiError(error, signal)
  }
}

async function prove(challenge: string): Promise<string> {
  const { solveChallenge } = await import('./proof-of-work.ts')
  window.dispatchEvent(new CustomEvent(proofEvent, { detail: true }))
  try {
    return await solveChallenge(challenge)
  } finally {
    window.dispatchEvent(new CustomEvent(proofEvent, { detail: false }))
  }
}

/** Turns a failed fetch into an ApiError. Returns the error unchanged if the caller aborted. */
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
  const requestId = response.headers.get('x-request-id') ?? undefined
  if (isErrorBody(body)) {
    const { message, code, param } = body.error
    const details = { param: param ?? undefined, requestId }
    return new ApiError(response.status, code ?? 'unknown', message, details)
  }
  return new ApiError(
    response.status,
    'unknown',
    `The service answered with status ${response.status}. Try again in a moment.`,
    { requestId },
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
    // The panel and the service share the contract types, so the body is not validated.
    return (await response.json()) as Reply
  } catch {
    throw new ApiError(response.status, 'unreachable', 'The reply was cut off. Try again.')
  }
}
