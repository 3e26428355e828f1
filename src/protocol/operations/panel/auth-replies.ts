import { Type } from 'typebox'
import { orNull } from '../../nullable.ts'

/** Response to a correct password: the user is signed in, or must enter a two-factor code first. */
export const SignInStep = Type.Object({ twoFactorRedirect: Type.Optional(Type.Boolean()) })

const codes = Type.Array(Type.String())
export const BackupCodes = Type.Object({ backupCodes: codes })
export const TotpUri = Type.Object({ totpURI: Type.String() })
export const TotpEnrolment = Type.Object({ totpURI: Type.String(), backupCodes: codes })

export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.Optional(orNull(Type.String())),
  createdAt: orNull(Type.String()),
})

const extensions = Type.Optional(Type.Object({ credProps: Type.Optional(Type.Boolean()) }))
const credentials = Type.Optional(
  Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      transports: Type.Optional(Type.Array(Type.String())),
    }),
  ),
)

const requirement = Type.Unsafe<'required' | 'preferred' | 'discouraged'>({
  type: 'string',
  enum: ['required', 'preferred', 'discouraged'],
})

/** `PublicKeyCredentialRequestOptionsJSON` of the Web Authentication standard. */
export const PasskeyRequestOptions = Type.Object({
  challenge: Type.String(),
  rpId: Type.Optional(Type.String()),
  timeout: Type.Optional(Type.Number()),
  userVerification: Type.Optional(Type.String()),
  allowCredentials: credentials,
  extensions,
})

/** `PublicKeyCredentialCreationOptionsJSON` of the Web Authentication standard. */
export const PasskeyCreationOptions = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ name: Type.String(), id: Type.Optional(Type.String()) }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(
    Type.Object({ type: Type.Literal('public-key'), alg: Type.Number() }),
  ),
  timeout: Type.Optional(Type.Number()),
  excludeCredentials: credentials,
  authenticatorSelection: Type.Optional(
    Type.Object({
      residentKey: Type.Optional(requirement),
      requireResidentKey: Type.Optional(Type.Boolean()),
      userVerification: Type.Optional(requirement),
    }),
  ),
  attestation: Type.Optional(Type.String()),
  extensions,
})
