import { Type, type Static } from 'typebox'
import { orNull } from './or-null.ts'

const limit = orNull(
  Type.Object({
    limit: Type.Integer(),
    remaining: Type.Integer(),
    reset_ms: Type.Integer({ description: 'Until all of it is there again.' }),
  }),
)

/** What is left of each limit; null: not limited. */
export const LimitStates = Type.Object({
  requests_per_minute: limit,
  tokens_per_minute: limit,
  parallel_requests: limit,
  tokens_per_day: limit,
  tokens_per_month: limit,
})
export type LimitStates = Static<typeof LimitStates>

/** What the caller's key may still do. */
export const Key = Type.Object({
  id: Type.String(),
  object: Type.Literal('key'),
  name: Type.String(),
  created: Type.Integer(),
  expires: orNull(
    Type.Integer({ description: 'Of the key as it was sent, which a rotation may end.' }),
  ),
  scopes: Type.Array(Type.String()),
  limits: LimitStates,
  account_limits: LimitStates,
})
export type Key = Static<typeof Key>
