import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PanelAuth } from '../../people/panel-auth.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import { passwordCharsMax, passwordCharsMin } from '../../limits.ts'

/**
 * Asks better-auth for what it does at `path`, with the cookies that came, and sets those that it gives.
 * @returns the body of its answer
 * @throws ServiceError what it refuses, in our shape and words
 */
export async function askBetterAuth(
  panelAuth: PanelAuth,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  body?: object,
): Promise<unknown> {
  const answer = await ask(panelAuth, path, request, body)
  const content: unknown = await answer.json().catch(() => null)
  if (!answer.ok) throw toServiceError(answer.status, content)
  passCookies(answer, reply)
  return withoutToken(content)
}

/** The same for what a browser opens as a page: it is sent on. */
export async function redirectByBetterAuth(
  panelAuth: PanelAuth,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = request.url.split('?', 2)[1] ?? ''
  const answer = await ask(panelAuth, `${path}?${query}`, request)
  passCookies(answer, reply)
  const to = answer.headers.get('location')
  return reply.redirect(to ?? '/sign-in?error=failed', 303)
}

async function ask(
  panelAuth: PanelAuth,
  path: string,
  request: FastifyRequest,
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

function passCookies(answer: Response, reply: FastifyReply): void {
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
}

/** What the cookie holds is for the browser alone, and for no script. */
function withoutToken(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content
  const { token: _, session: __, ...others } = content as Record<string, unknown>
  return others
}

function toServiceError(status: number, content: unknown): ServiceError {
  const code = memberOf(content, 'code')
  const known = code === undefined ? undefined : refusals[code]
  if (known !== undefined) return new ServiceError(...known)
  if (status >= 500)
    return new ServiceError('internal_error', 'Something went wrong on our side. Try again.')
  if (status === 401)
    return new ServiceError('session_required', 'Sign in first, or again: this session has ended.')
  const message = memberOf(content, 'message') ?? 'This cannot be done'
  return new ServiceError('invalid_value', `${message.replace(/\.$/, '')}.`)
}

function memberOf(content: unknown, name: string): string | undefined {
  if (typeof content !== 'object' || content === null) return undefined
  const member: unknown = Reflect.get(content, name)
  return typeof member === 'string' ? member : undefined
}

const wrongCode = 'This code is not right, or no longer: look at the newest one and try again.'
const signInAgain = 'Sign in again first: this session is too old for that.'
const passwordRule = `A password has ${passwordCharsMin} to ${passwordCharsMax} characters.`

/** By the code of better-auth. */
const refusals: Readonly<Record<string, readonly [code: ErrorCode, message: string]>> = {
  ACCOUNT_DISABLED: [
    'account_disabled',
    'This account is disabled: ask an administrator of this service.',
  ],
  INVALID_EMAIL: [
    'invalid_value',
    'This is not an e-mail address: write it like name@example.com.',
  ],
  INVALID_EMAIL_OR_PASSWORD: [
    'invalid_credentials',
    'The e-mail address or the password is wrong.',
  ],
  INVALID_PASSWORD: ['invalid_credentials', 'The password is wrong.'],
  PASSWORD_TOO_SHORT: ['invalid_value', passwordRule],
  PASSWORD_TOO_LONG: ['invalid_value', passwordRule],
  INVALID_CODE: ['invalid_code', wrongCode],
  INVALID_BACKUP_CODE: ['invalid_code', 'This backup code is not right, or it was used before.'],
  INVALID_TWO_FACTOR_COOKIE: [
    'session_required',
    'That took too long: begin again with the e-mail address and the password.',
  ],
  ACCOUNT_TEMPORARILY_LOCKED: [
    'too_many_attempts',
    'Too many wrong codes: wait 15 minutes, then try again.',
  ],
  SESSION_NOT_FRESH: ['session_required', signInAgain],
  SESSION_EXPIRED: ['session_required', signInAgain],
}
