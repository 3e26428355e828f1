import { Type, type Static } from 'typebox'
import { orNull } from './nullable.ts'
import { Limits } from './panel-limits.ts'

const closed = { additionalProperties: false }
/** A generous bound. The stricter bounds are in people/, which gives a message for each. */
const text = Type.String({ maxLength: 1024 })
const person = { email: text, password: text, name: text }

/** Ways to create an account after the first user exists. */
export const SignUp = Type.Unsafe<'closed' | 'open' | 'invite'>({
  type: 'string',
  enum: ['closed', 'open', 'invite'],
})

export const SetUpState = Type.Object({
  needs_setup: Type.Boolean(),
  sign_up: SignUp,
  oidc: orNull(Type.Object({ name: Type.String() })),
  password_chars_min: Type.Integer(),
  version: Type.String(),
})
export type SetUpState = Static<typeof SetUpState>

export const SetUpRequest = Type.Object({ secret: text, ...person }, closed)
export type SetUpRequest = Static<typeof SetUpRequest>

export const SignUpRequest = Type.Object({ invite: Type.Optional(text), ...person }, closed)
export type SignUpRequest = Static<typeof SignUpRequest>

export const ResetPasswordRequest = Type.Object({ secret: text, password: text }, closed)
export type ResetPasswordRequest = Static<typeof ResetPasswordRequest>

/** The account that a password reset link is for. */
export const ResetLinkQuestion = Type.Object({ secret: text }, closed)
export const ResetLinkAccount = Type.Object({ email: Type.String(), name: Type.String() })
/** `signed_in` is false if the user must sign in again: a second factor is needed, or the account is disabled. */
export const PasswordReset = Type.Object({ signed_in: Type.Boolean() })

export const Role = Type.Unsafe<'admin' | 'member'>({ type: 'string', enum: ['admin', 'member'] })

/** The account that an invite link creates. With an e-mail address, only that address can use the link. */
export const InviteOffer = Type.Object({ email: orNull(Type.String()), role: Role })

/** The signed-in user and the user's account. */
export const Me = Type.Object({
  user: Type.Object({
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: Role,
    two_factor_enabled: Type.Boolean(),
    /** False for a user who signs in only through OIDC. */
    has_password: Type.Boolean(),
  }),
  account: Type.Object({ id: Type.String(), name: Type.String(), limits: Limits }),
})
export type Me = Static<typeof Me>

// The following bodies have the field names of better-auth.
export const SignInRequest = Type.Object(
  { email: text, password: text, rememberMe: Type.Optional(Type.Boolean()) },
  closed,
)
export type SignInRequest = Static<typeof SignInRequest>

/** Without better-auth's `trustDevice`: its owner could not see or end the trust. */
export const CodeRequest = Type.Object({ code: text }, closed)
export const PasswordRequest = Type.Object({ password: text }, closed)
export const ChangePasswordRequest = Type.Object(
  {
    currentPassword: text,
    newPassword: text,
    revokeOtherSessions: Type.Optional(Type.Literal(true)),
  },
  closed,
)
export const RevokeSessionRequest = Type.Object({ token: text }, closed)
export type RevokeSessionRequest = Static<typeof RevokeSessionRequest>
export const UpdateUserRequest = Type.Object({ name: text }, closed)
export type UpdateUserRequest = Static<typeof UpdateUserRequest>
export const IdRequest = Type.Object({ id: text }, closed)
export const PasskeyNameRequest = Type.Object({ id: text, name: text }, closed)
export type PasskeyNameRequest = Static<typeof PasskeyNameRequest>

/**
 * Response of the browser's authenticator. better-auth checks the rest, but looks for `id` in the database whatever it is.
 * It is the base64url of at most 1,023 bytes (Web Authentication, section 4).
 */
const authenticatorResponse = Type.Unsafe<object>(
  Type.Object({ id: Type.String({ maxLength: 1364 }) }),
)
export const PasskeySignInRequest = Type.Object({ response: authenticatorResponse }, closed)
export const PasskeyRequest = Type.Object(
  { response: authenticatorResponse, name: Type.Optional(text) },
  closed,
)

/** A session of the user. `token` is the session's id: it serves to revoke the session, not to sign in. */
export const PanelSession = Type.Object({
  id: Type.String(),
  token: Type.String(),
  current: Type.Boolean(),
  createdAt: Type.String(),
  expiresAt: Type.String(),
  ipAddress: orNull(Type.String()),
  userAgent: orNull(Type.String()),
})
export type PanelSession = Static<typeof PanelSession>
