import type { Account } from './accounts.ts'
import type { Caller } from './caller.ts'

/** Takes the place of an API key in usage and on receipts. */
export const playgroundKey = { id: 'playground', name: 'Playground' } as const

/**
 * Returns the caller of a request from the panel's playground. Only the limits of the account apply.
 * @param ended aborts when the session ends, which cuts off its running requests
 */
export function toPlaygroundCaller(
  { id, name, limits, createdMs }: Account,
  ended: AbortSignal,
): Caller {
  return {
    accountId: id,
    keyId: playgroundKey.id,
    name: playgroundKey.name,
    accountName: name,
    scopes: ['chat'],
    limits: {},
    accountLimits: limits,
    createdMs,
    expiresMs: undefined,
    revoked: ended,
  }
}
