import type { Account } from './accounts.ts'
import type { Caller } from './api-keys.ts'
import type { PanelUser } from '../people/panel-sessions.ts'

/** What usage and receipts name in the place of a key. */
export const playgroundKey = { id: 'playground', name: 'Playground' } as const

/** Who asks with a session: the limits are those of the account, and what it has begun ends with the session. */
export function toPlaygroundCaller({ id, limits, createdMs }: Account, user: PanelUser): Caller {
  return {
    accountId: id,
    keyId: playgroundKey.id,
    name: playgroundKey.name,
    scopes: ['chat'],
    limits: {},
    accountLimits: limits,
    createdMs,
    expiresMs: undefined,
    revoked: user.ended,
  }
}
