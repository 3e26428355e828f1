import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { PanelUser } from '../../people/panel-sessions.ts'
import { ServiceError } from '../../errors.ts'

/** Access for every signed-in user. */
export const signedIn = { auth: 'session', role: 'any' } as const
/** Access for administrators only. */
export const adminOnly = { auth: 'session', role: 'admin' } as const

/** Resolves to the signed-in user, or to undefined without a valid session. */
export type CheckSession = (headers: IncomingHttpHeaders) => Promise<PanelUser | undefined>

/** Names the user whose pages a browser tab shows. The tab's cookie can be that of another user who signed in later. */
const shownUserHeader = 'pipit-user'

/** @throws ServiceError session_required, insufficient_permissions */
export async function requireSession(
  headers: IncomingHttpHeaders,
  role: 'admin' | 'any',
  checkSession: CheckSession,
): Promise<PanelUser> {
  const user = await checkSession(headers)
  if (user === undefined)
    throw new ServiceError('session_required', 'Sign in again. This session has ended.')
  const shownUser = headers[shownUserHeader]
  if (shownUser !== undefined && shownUser !== user.userId)
    throw new ServiceError('session_required', 'Sign in again. Another user has signed in here.')
  if (role === 'admin' && user.role !== 'admin')
    throw new ServiceError(
      'insufficient_permissions',
      'Only admins can do this. Ask an admin of this service.',
    )
  return user
}

/**
 * Refuses a request from a page of another origin. Browsers set the header `Origin`, and no page can forge it.
 * @param publicOrigin the panel's origin; if undefined, the origin of the URL that the browser used
 * @throws ServiceError origin_not_allowed
 */
export function assertOwnOrigin(
  { headers: { origin }, protocol, host }: Pick<FastifyRequest, 'headers' | 'protocol' | 'host'>,
  publicOrigin: string | undefined,
): void {
  const own = publicOrigin ?? `${protocol}://${host}`
  if (origin === own) return
  throw new ServiceError(
    'origin_not_allowed',
    origin === undefined
      ? 'The header `Origin` is missing. Only pages of the panel may do this.'
      : `Pages of this origin may not do this. Open the panel at its own address${publicOrigin === undefined ? '; behind a proxy set PIPIT_PUBLIC_URL to it' : `, ${publicOrigin}`}.`,
  )
}
