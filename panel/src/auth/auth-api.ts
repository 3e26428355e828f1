import { callApi } from '../api.ts'
import { readPasskey } from './webauthn.ts'

type SignInStep = 'signed-in' | 'code-required'

/** @throws ApiError */
export async function signInWithPassword(email: string, password: string): Promise<SignInStep> {
  const body = { email, password }
  const reply = await callApi('POST /panel/api/auth/sign-in/email', { body })
  return reply.twoFactorRedirect === true ? 'code-required' : 'signed-in'
}

/** Completes two-factor sign-in with an authenticator code or a backup code. */
export async function verifyCode(code: string, kind: 'totp' | 'backup-code'): Promise<void> {
  const body = { code: code.replaceAll(/\s/g, '') }
  await callApi(`POST /panel/api/auth/two-factor/verify-${kind}`, { body })
}

export async function signInWithPasskey(): Promise<void> {
  const options = await callApi('GET /panel/api/auth/passkey/generate-authenticate-options')
  const response = await readPasskey(options)
  await callApi('POST /panel/api/auth/passkey/verify-authentication', { body: { response } })
}

/** @returns the URL of the OIDC provider's sign-in page */
export async function beginOidc(): Promise<string> {
  const { url } = await callApi('POST /panel/api/auth/sign-in/oauth2')
  return url
}

export async function signOut(): Promise<void> {
  await callApi('POST /panel/api/auth/sign-out')
}
