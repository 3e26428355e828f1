import { queryOptions } from '@tanstack/react-query'
import { type ApiReply, callApi } from '../../api.ts'
import { createPasskey } from '../../auth/webauthn.ts'

export type Passkey = ApiReply<'GET /panel/api/auth/passkey/list-user-passkeys'>[number]

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => callApi('GET /panel/api/auth/list-sessions', { signal }),
})

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => callApi('GET /panel/api/auth/passkey/list-user-passkeys', { signal }),
})

export function rename(name: string): Promise<unknown> {
  return callApi('POST /panel/api/auth/update-user', { body: { name } })
}

export function changePassword(currentPassword: string, newPassword: string): Promise<unknown> {
  const body = { currentPassword, newPassword }
  return callApi('POST /panel/api/auth/change-password', { body })
}

export function endSession(token: string): Promise<unknown> {
  return callApi('POST /panel/api/auth/revoke-session', { body: { token } })
}

export function endOtherSessions(): Promise<unknown> {
  return callApi('POST /panel/api/auth/revoke-other-sessions')
}

export type Enrolment = ApiReply<'POST /panel/api/auth/two-factor/enable'>

/** Starts two-factor enrolment. Sign-in asks for codes only after the first code has been verified. */
export function beginTotp(password: string): Promise<Enrolment> {
  return callApi('POST /panel/api/auth/two-factor/enable', { body: { password } })
}

export function endTotp(password: string): Promise<unknown> {
  return callApi('POST /panel/api/auth/two-factor/disable', { body: { password } })
}

export async function newBackupCodes(password: string): Promise<string[]> {
  const body = { password }
  const reply = await callApi('POST /panel/api/auth/two-factor/generate-backup-codes', { body })
  return reply.backupCodes
}

export async function addPasskey(name: string, password: string): Promise<void> {
  const path = 'POST /panel/api/auth/passkey/generate-register-options'
  const options = await callApi(path, { body: { password } })
  const response = await createPasskey(options)
  await callApi('POST /panel/api/auth/passkey/verify-registration', { body: { response, name } })
}

export function removePasskey(id: string): Promise<unknown> {
  return callApi('POST /panel/api/auth/passkey/delete-passkey', { body: { id } })
}
