import { Type, type Static } from 'typebox'
import { limitMax } from '../limits.ts'
import { orNull } from './or-null.ts'

const closed = { additionalProperties: false }
/** What is longer than it may be is refused in words by whoever reads it; this only keeps it in bounds. */
const text = Type.String({ maxLength: 1024 })

export const SetUpState = Type.Object({
  needs_setup: Type.Boolean(),
  sign_up: Type.Unsafe<'closed' | 'open' | 'invite'>({
    type: 'string',
    enum: ['closed', 'open', 'invite'],
  }),
  oidc: orNull(Type.Object({ name: Type.String() })),
  version: Type.String(),
})
export type SetUpState = Static<typeof SetUpState>

export const SetUpRequest = Type.Object(
  { token: text, email: text, password: text, name: text },
  closed,
)
export type SetUpRequest = Static<typeof SetUpRequest>

const limit = orNull(Type.Integer({ minimum: 1, maximum: limitMax }))

/** Null: not limited. */
export const PanelLimits = Type.Object(
  {
    requests_per_minute: limit,
    tokens_per_minute: limit,
    parallel_requests: limit,
    tokens_per_day: limit,
    tokens_per_month: limit,
  },
  closed,
)
export type PanelLimits = Static<typeof PanelLimits>

export const Role = Type.Unsafe<'admin' | 'member'>({ type: 'string', enum: ['admin', 'member'] })

/** Who has signed in, and to which account. */
export const Me = Type.Object({
  user: Type.Object({
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: Role,
    two_factor_enabled: Type.Boolean(),
  }),
  account: Type.Object({ id: Type.String(), name: Type.String(), limits: PanelLimits }),
})
export type Me = Static<typeof Me>

export const SignInRequest = Type.Object(
  { email: text, password: text, rememberMe: Type.Optional(Type.Boolean()) },
  closed,
)
export const NoFields = Type.Object({}, closed)
