import type { Limits } from '../key-limits.ts'
import type { Account } from './accounts.ts'
import type { Scope } from './scopes.ts'

/** The API key and account of an authenticated request, with what they may do. */
export type Caller = Readonly<{
  accountId: string
  keyId: string
  /** Name of the API key. */
  name: string
  accountName: string
  scopes: readonly Scope[]
  limits: Limits
  accountLimits: Limits
  createdMs: number
  /** Expiry of the key text in the request. After a rotation, the old text may expire before the new one. */
  expiresMs: number | undefined
  /** Aborts when the key is revoked or expires, which cuts off its running requests. */
  revoked: AbortSignal
}>

/** Takes the place of an API key in the usage and on the receipts of playground requests. */
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
