import { Type, type Static } from 'typebox'
import { byWireName } from '../key-limits.ts'
import { orNull } from './nullable.ts'

const LimitState = Type.Object({
  limit: Type.Integer(),
  remaining: Type.Integer(),
  reset_ms: Type.Integer({ description: 'Milliseconds until the whole limit is available again.' }),
})
export type LimitState = Static<typeof LimitState>

/** State of each limit; null means unlimited. */
export const LimitStates = Type.Object(byWireName(() => orNull(LimitState)))
export type LimitStates = Static<typeof LimitStates>

/** An API key with the state of its limits. */
export const Key = Type.Object({
  id: Type.String(),
  object: Type.Literal('key'),
  name: Type.String(),
  created: Type.Integer(),
  expires: orNull(
    Type.Integer({
      description: 'When the key in this request expires, which may be the end of a grace period.',
    }),
  ),
  scopes: Type.Array(Type.String()),
  limits: LimitStates,
  account_limits: LimitStates,
})
export type Key = Static<typeof Key>
