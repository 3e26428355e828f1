import { Type, type Static } from 'typebox'
import { orNull } from './nullable.ts'
import { LimitChanges, Limits } from './panel-limits.ts'
import { Role, SignUp } from './panel-session.ts'

const closed = { additionalProperties: false }

/** An account, as administrators see it. */
export const PanelAccount = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: orNull(
    Type.String({ description: 'Null for an account without a user: it has API keys only.' }),
  ),
  role: orNull(Role),
  disabled: Type.Boolean(),
  created_ms: Type.Integer(),
  last_seen_ms: orNull(Type.Integer()),
  keys: Type.Integer({ description: 'Keys that are not revoked.' }),
  use: Type.Object(
    {
      requests: Type.Integer(),
      prompt_tokens: Type.Integer(),
      completion_tokens: Type.Integer(),
    },
    { description: 'Usage since the month began, in UTC.' },
  ),
  limits: Limits,
})
export type PanelAccount = Static<typeof PanelAccount>

export const PanelAccountList = Type.Object({
  data: Type.Array(PanelAccount),
  has_more: Type.Boolean(),
  last_id: orNull(Type.String({ description: 'The value of `after` for the next page.' })),
})
export type PanelAccountList = Static<typeof PanelAccountList>

/** Changes of an account; absent members stay unchanged. */
export const AccountChanges = Type.Object(
  {
    name: Type.Optional(Type.String()),
    role: Type.Optional(Role),
    disabled: Type.Optional(Type.Boolean()),
    limits: Type.Optional(LimitChanges),
  },
  closed,
)
export type AccountChanges = Static<typeof AccountChanges>

/** A link that works once. The service keeps only its digest, so this is the only response with the link. */
export const IssuedLink = Type.Object({ url: Type.String(), expires_ms: Type.Integer() })
export type IssuedLink = Static<typeof IssuedLink>

export const Invite = Type.Object({
  id: Type.String(),
  email: orNull(
    Type.String({ description: 'Null: the first person to open the link may use it.' }),
  ),
  role: Role,
  created_ms: Type.Integer(),
  expires_ms: Type.Integer(),
})
export type Invite = Static<typeof Invite>

/** Pending invites, who can create an account, and whether the panel can change that. */
export const InviteList = Type.Object({
  data: Type.Array(Invite),
  sign_up: SignUp,
  can_change: Type.Boolean(),
})
export type InviteList = Static<typeof InviteList>

export const AllowInvites = Type.Object({ allowed: Type.Boolean() }, closed)

export const NewInvite = Type.Object({ email: Type.Optional(Type.String()), role: Role }, closed)
export type NewInvite = Static<typeof NewInvite>

export const IssuedInvite = Type.Object({
  id: Type.String(),
  url: Type.String(),
  expires_ms: Type.Integer(),
})
export type IssuedInvite = Static<typeof IssuedInvite>
