import { getJson, postJson } from '../api.ts'
import { readPasskey } from './webauthn.ts'

const base = '/panel/api/auth'

type SignInStep = 'signed-in' | 'code-required'

/** @throws ApiError */
export async function signInWithPassword(email: string, password: string): Promise<SignInStep> {
  const reply = await postJson<{ twoFactorRedirect?: boolean }>(`${base}/sign-in/email`, {
    email,
    password,
  })
  return reply.twoFactorRedirect === true ? 'code-required' : 'signed-in'
}

/** Completes two-factor sign-in with an authenticator code or a backup code. */
export async function verifyCode(code: string, kind: 'totp' | 'backup-code'): Promise<void> {
  await postJson(`${base}/two-factor/verify-${kind}`, { code: code.replaceAll(/\s/g, '') })
}

export async function signInWithPasskey(): Promise<void> {
  const options = await getJson<PublicKeyCredentialRequestOptionsJSON>(
    `${base}/passkey/generate-authenticate-options`,
  )
  const response = await readPasskey(options)
  await postJson(`${base}/passkey/verify-authentication`, { response })
}

/** @returns the URL of the OIDC provider's sign-in page */
export async function beginOidc(): Promise<string> {
  const { url } = await postJson<{ url: string }>(`${base}/sign-in/oauth2`, {})
  return url
}

export async function signOut(): Promise<void> {
  await postJson(`${base}/sign-out`, {})
}
