import type { Limits } from '../key-limits.ts'
import type { Account } from './accounts.ts'
import type { Scope } from './scopes.ts'

/** The API key and account of an authenticated request, with what they may do. */
export type Caller = Readonly<{
  accountId: string
  keyId: string
  /** Names of the key and of its account. */
  name: string
  accountName: string
  scopes: readonly Scope[]
  limits: Limits
  accountLimits: Limits
  createdMs: number
  /** Expiry of the key in the request; after a rotation, the old key may end earlier than the new one. */
  expiresMs: number | undefined
  /** Aborts when the key is revoked or expires, to cut off its running requests. */
  revoked: AbortSignal
}>

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
