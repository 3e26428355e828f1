import type { ListedSession } from '../../../people/panel-auth.ts'
import type { PanelSession } from '../../../protocol/panel-session.ts'

/** Uses better-auth's names. `token` holds the session's id: the session's secret never leaves the cookie. */
export function toPanelSession(session: ListedSession, ownId: string): PanelSession {
  return {
    id: session.id,
    token: session.id,
    current: session.id === ownId,
    createdAt: session.created_at,
    expiresAt: session.expires_at,
    ipAddress: session.ip_address,
    userAgent: session.user_agent,
  }
}
