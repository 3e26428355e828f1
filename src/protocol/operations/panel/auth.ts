import { Type, type TSchema } from 'typebox'
import { NoFields } from '../../panel-keys.ts'
import {
  ChangePasswordRequest,
  CodeRequest,
  IdRequest,
  PanelSession,
  PasskeyNameRequest,
  PasskeyRequest,
  PasskeySignInRequest,
  PasswordRequest,
  RevokeSessionRequest,
  SignInRequest,
  UpdateUserRequest,
} from '../../panel-session.ts'
import { contract, json } from '../contract.ts'
import {
  BackupCodes,
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  SignInStep,
  TotpEnrolment,
  TotpUri,
} from './auth-replies.ts'

/** Declares a response of better-auth, which may set or clear cookies. */
const answer = <S extends TSchema>(schema: S) =>
  ({ 200: { content: { 'application/json': schema }, headers: ['set-cookie'] } }) as const

/** A response whose body carries no information. */
const done = answer(Type.Unsafe<object | null>({ type: ['object', 'null'] }))

/** All better-auth operations that are served; paths, bodies and responses are better-auth's own. */
export const authContracts = {
  signIn: contract({
    method: 'POST',
    path: '/panel/api/auth/sign-in/email',
    body: SignInRequest,
    replies: answer(SignInStep),
  }),
  verifyTotp: contract({
    method: 'POST',
    path: '/panel/api/auth/two-factor/verify-totp',
    body: CodeRequest,
    replies: done,
  }),
  verifyBackupCode: contract({
    method: 'POST',
    path: '/panel/api/auth/two-factor/verify-backup-code',
    body: CodeRequest,
    replies: done,
  }),
  signOut: contract({
    method: 'POST',
    path: '/panel/api/auth/sign-out',
    body: NoFields,
    replies: done,
  }),
  listSessions: contract({
    method: 'GET',
    path: '/panel/api/auth/list-sessions',
    replies: json(Type.Array(PanelSession)),
  }),
  revokeSession: contract({
    method: 'POST',
    path: '/panel/api/auth/revoke-session',
    body: RevokeSessionRequest,
    replies: done,
  }),
  revokeSessions: contract({
    method: 'POST',
    path: '/panel/api/auth/revoke-sessions',
    body: NoFields,
    replies: done,
  }),
  revokeOtherSessions: contract({
    method: 'POST',
    path: '/panel/api/auth/revoke-other-sessions',
    body: NoFields,
    replies: done,
  }),
  updateUser: contract({
    method: 'POST',
    path: '/panel/api/auth/update-user',
    body: UpdateUserRequest,
    replies: done,
  }),
  changePassword: contract({
    method: 'POST',
    path: '/panel/api/auth/change-password',
    body: ChangePasswordRequest,
    replies: done,
  }),
  enableTotp: contract({
    method: 'POST',
    path: '/panel/api/auth/two-factor/enable',
    body: PasswordRequest,
    replies: answer(TotpEnrolment),
  }),
  disableTotp: contract({
    method: 'POST',
    path: '/panel/api/auth/two-factor/disable',
    body: PasswordRequest,
    replies: done,
  }),
  totpUri: contract({
    method: 'POST',
    path: '/panel/api/auth/two-factor/get-totp-uri',
    body: PasswordRequest,
    replies: answer(TotpUri),
  }),
  newBackupCodes: contract({
    method: 'POST',
    path: '/panel/api/auth/two-factor/generate-backup-codes',
    body: PasswordRequest,
    replies: answer(BackupCodes),
  }),
  passkeySignInOptions: contract({
    method: 'GET',
    path: '/panel/api/auth/passkey/generate-authenticate-options',
    replies: answer(PasskeyRequestOptions),
  }),
  signInWithPasskey: contract({
    method: 'POST',
    path: '/panel/api/auth/passkey/verify-authentication',
    body: PasskeySignInRequest,
    replies: done,
  }),
  // In better-auth a GET. The password is this service's own demand.
  newPasskeyOptions: contract({
    method: 'POST',
    path: '/panel/api/auth/passkey/generate-register-options',
    body: PasswordRequest,
    replies: answer(PasskeyCreationOptions),
  }),
  addPasskey: contract({
    method: 'POST',
    path: '/panel/api/auth/passkey/verify-registration',
    body: PasskeyRequest,
    replies: done,
  }),
  listPasskeys: contract({
    method: 'GET',
    path: '/panel/api/auth/passkey/list-user-passkeys',
    replies: answer(Type.Array(Passkey)),
  }),
  deletePasskey: contract({
    method: 'POST',
    path: '/panel/api/auth/passkey/delete-passkey',
    body: IdRequest,
    replies: done,
  }),
  renamePasskey: contract({
    method: 'POST',
    path: '/panel/api/auth/passkey/update-passkey',
    body: PasskeyNameRequest,
    replies: done,
  }),
  signInWithOidc: contract({
    method: 'POST',
    path: '/panel/api/auth/sign-in/oauth2',
    body: NoFields,
    replies: answer(Type.Object({ url: Type.String() })),
  }),
  oidcCallback: contract({
    method: 'GET',
    path: '/panel/api/auth/callback/oidc',
    replies: { 303: { content: {}, headers: ['set-cookie'] } },
  }),
}
