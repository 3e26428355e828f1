import type { Limits } from '../key-limits.ts'
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
