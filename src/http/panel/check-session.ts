import type { IncomingHttpHeaders } from 'node:http'
import type { PanelUser } from '../../people/panel-sessions.ts'
import { ServiceError } from '../../errors.ts'

/** Undefined: nobody has signed in, or no longer. */
export type CheckSession = (headers: IncomingHttpHeaders) => Promise<PanelUser | undefined>

/** @throws ServiceError session_required, insufficient_permissions */
export async function requireSession(
  headers: IncomingHttpHeaders,
  role: 'admin' | 'any',
  checkSession: CheckSession,
): Promise<PanelUser> {
  const user = await checkSession(headers)
  if (user === undefined)
    throw new ServiceError('session_required', 'Sign in first, or again: this session has ended.')
  if (role === 'admin' && user.role !== 'admin')
    throw new ServiceError(
      'insufficient_permissions',
      'Only administrators may do this: ask one of this service.',
    )
  return user
}

/**
 * Browsers name the origin of the page with every request that may change something, and a page cannot.
 * @param publicOrigin undefined: whatever address the browser has reached us at
 * @throws ServiceError origin_not_allowed
 */
export function assertOwnOrigin(
  { origin, host }: IncomingHttpHeaders,
  publicOrigin: string | undefined,
): void {
  const own = publicOrigin ?? `http://${host ?? ''}`
  if (origin === own) return
  throw new ServiceError(
    'origin_not_allowed',
    origin === undefined
      ? 'The header `Origin` is missing: this is for pages of the panel alone.'
      : `Pages of this origin may not do this. Open the panel at its own address${publicOrigin === undefined ? '; behind a proxy set PIPIT_PUBLIC_URL to it' : `, ${publicOrigin}`}.`,
  )
}
