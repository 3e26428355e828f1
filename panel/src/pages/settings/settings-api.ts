import { queryOptions } from '@tanstack/react-query'
import type { PanelSession } from '../../../../src/protocol/panel-session.ts'
import { getJson, postJson } from '../../api.ts'
import { createPasskey } from '../../auth/webauthn.ts'

const base = '/panel/api/auth'

/** As better-auth describes it. */
export type Passkey = { id: string; name: string | null; createdAt: string | null }

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => getJson<PanelSession[]>(`${base}/list-sessions`, signal),
})

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => getJson<Passkey[]>(`${base}/passkey/list-user-passkeys`, signal),
})

export function rename(name: string): Promise<unknown> {
  return postJson(`${base}/update-user`, { name })
}

export function changePassword(currentPassword: string, newPassword: string): Promise<unknown> {
  return postJson(`${base}/change-password`, { currentPassword, newPassword })
}

export function endSession(token: string): Promise<unknown> {
  return postJson(`${base}/revoke-session`, { token })
}

export function endOtherSessions(): Promise<unknown> {
  return postJson(`${base}/revoke-other-sessions`, {})
}

export type Enrolment = { totpURI: string; backupCodes: string[] }

/** The codes are asked for only once one of them has been verified. */
export function beginTotp(password: string): Promise<Enrolment> {
  return postJson<Enrolment>(`${base}/two-factor/enable`, { password })
}

export function endTotp(password: string): Promise<unknown> {
  return postJson(`${base}/two-factor/disable`, { password })
}

export async function newBackupCodes(password: string): Promise<string[]> {
  const { backupCodes } = await postJson<{ backupCodes: string[] }>(
    `${base}/two-factor/generate-backup-codes`,
    { password },
  )
  return backupCodes
}

export async function addPasskey(name: string): Promise<void> {
  const options = await getJson<PublicKeyCredentialCreationOptionsJSON>(
    `${base}/passkey/generate-register-options`,
  )
  const response = await createPasskey(options)
  await postJson(`${base}/passkey/verify-registration`, { response, name })
}

export function removePasskey(id: string): Promise<unknown> {
  return postJson(`${base}/passkey/delete-passkey`, { id })
}
