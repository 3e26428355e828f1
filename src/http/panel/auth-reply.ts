import type { TSchema } from 'typebox'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import { passwordCharsMax, passwordCharsMin } from '../../sign-in-limits.ts'
import type { PanelAuth } from '../../people/panel-auth.ts'
import { HttpResponse } from '../reply/http-response.ts'
import type { RequestFacts } from '../operation.ts'
import type { ValueOf } from '../reply/respond.ts'

type AuthQuestion<S extends TSchema> = {
  /** A path that better-auth serves. */
  path: `/${string}`
  answer: S
  /** Without a body the request is a GET. */
  body?: object
}

/**
 * Calls better-auth with the request's cookies. Passes on the cookies that better-auth sets.
 * @throws ServiceError with this service's own message for everything that better-auth refuses
 */
export async function askBetterAuth<S extends TSchema>(
  panelAuth: PanelAuth,
  request: RequestFacts,
  { path, answer: schema, body }: AuthQuestion<S>,
): Promise<HttpResponse<200, ValueOf<S>>> {
  const answer = await ask(panelAuth, path, request, body)
  const content: unknown = await answer.json().catch(() => null)
  if (!answer.ok) throw toServiceError(answer.status, content)
  const shown = withoutSecret(content)
  if (!fits(request, schema, shown)) throw new Error(`better-auth's answer to ${path} is unknown`)
  return new HttpResponse(200, shown, cookiesOf(answer))
}

/** Calls a better-auth path that a browser opens as a page, and redirects the browser. */
export async function redirectByBetterAuth(
  panelAuth: PanelAuth,
  path: string,
  request: RequestFacts,
): Promise<HttpResponse<303, undefined>> {
  // A query may contain further question marks.
  const [, ...query] = request.url.split('?')
  const answer = await ask(panelAuth, `${path}?${query.join('?')}`, request)
  const location = answer.headers.get('location') ?? `/sign-in?error=${await errorCodeOf(answer)}`
  return new HttpResponse(303, undefined, { ...cookiesOf(answer), location })
}

async function errorCodeOf(answer: Response): Promise<string> {
  const content: unknown = await answer.json().catch(() => null)
  return encodeURIComponent(memberOf(content, 'code') ?? 'failed')
}

async function ask(
  panelAuth: PanelAuth,
  path: string,
  request: RequestFacts,
  body?: object,
): Promise<Response> {
  const { cookie, 'user-agent': userAgent } = request.headers
  const headers = new Headers({ 'content-type': 'application/json' })
  if (cookie !== undefined) headers.set('cookie', cookie)
  if (userAgent !== undefined) headers.set('user-agent', userAgent.slice(0, 512))
  return await panelAuth.handle(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    address: request.ip,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

function fits<S extends TSchema>(
  request: RequestFacts,
  schema: S,
  value: unknown,
): value is ValueOf<S> {
  return request.validateInput(value, schema)
}

function cookiesOf(answer: Response): { 'set-cookie'?: string[] } {
  const cookies = answer.headers.getSetCookie()
  return cookies.length > 0 ? { 'set-cookie': cookies } : {}
}

/** Removes the session's secret. Only the cookie may hold it, because no script can read the cookie. */
function withoutSecret(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content
  const { token: _, session: __, ...others }: { token?: unknown; session?: unknown } = content
  return others
}

function toServiceError(status: number, content: unknown): ServiceError {
  const code = memberOf(content, 'code')
  const known = code === undefined ? undefined : refusals[code]
  if (known !== undefined) return new ServiceError(...known)
  if (status >= 500)
    return new ServiceError('internal_error', 'Something went wrong on our side. Try again.')
  if (status === 401)
    return new ServiceError('session_required', 'Sign in again. This session has ended.')
  const message = memberOf(content, 'message') ?? 'The request was refused'
  return new ServiceError('invalid_value', `${message.replace(/\.$/, '')}.`)
}

function memberOf(content: unknown, name: string): string | undefined {
  if (typeof content !== 'object' || content === null) return undefined
  const member: unknown = Reflect.get(content, name)
  return typeof member === 'string' ? member : undefined
}

const wrongCode = 'Code incorrect or expired. Enter the current code.'
const passwordRule = `Enter a password of ${passwordCharsMin} to ${passwordCharsMax} characters.`

/** Errors of this service, keyed by better-auth's error codes. */
const refusals: Readonly<Record<string, readonly [code: ErrorCode, message: string]>> = {
  ACCOUNT_DISABLED: ['account_disabled', 'This account is disabled. Ask an admin of this service.'],
  INVALID_EMAIL: ['invalid_value', 'Enter an e-mail address like name@example.com.'],
  INVALID_EMAIL_OR_PASSWORD: ['invalid_credentials', 'Incorrect e-mail address or password.'],
  INVALID_PASSWORD: ['invalid_credentials', 'Incorrect password.'],
  PASSWORD_TOO_SHORT: ['invalid_value', passwordRule],
  PASSWORD_TOO_LONG: ['invalid_value', passwordRule],
  INVALID_CODE: ['invalid_code', wrongCode],
  CODE_ALREADY_USED: [
    'invalid_code',
    'This code or a later one was already used. Enter the next one.',
  ],
  INVALID_BACKUP_CODE: ['invalid_code', 'Backup code incorrect or already used.'],
  INVALID_TWO_FACTOR_COOKIE: [
    'session_required',
    'That took too long. Sign in again with your e-mail address and password.',
  ],
  // better-auth's own text asks for a new code, as if codes were sent.
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: [
    'session_required',
    'Too many wrong codes. Sign in again with your e-mail address and password.',
  ],
  FAILED_TO_VERIFY_REGISTRATION: [
    'invalid_value',
    'The passkey could not be added. Try again, or use another device.',
  ],
  USER_NOT_VERIFIED_AT_REGISTRATION: [
    'invalid_value',
    'This device did not ask for a fingerprint, a face or a PIN. Set one up on it, or use another device.',
  ],
  USER_NOT_VERIFIED: [
    'invalid_credentials',
    'Your device did not ask for a fingerprint, a face or a PIN. Set one up on it, or sign in with your password.',
  ],
  PASSKEY_NOT_FOUND: ['invalid_credentials', 'This passkey was removed. Use your password.'],
}
