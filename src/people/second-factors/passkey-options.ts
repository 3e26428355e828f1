import type { PasskeyOptions } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'

type PasskeyEvents = {
  /** Called before a passkey is stored. */
  onAdd: (passkey: { userId: string; name: string | null }) => Promise<void>
  /** Called before a passkey signs its user in. */
  onUse: (credentialId: string) => void
}

/**
 * Returns better-auth's options for passkeys at this URL. A passkey replaces the password and the code, so the device
 * must check the user by a fingerprint, a face or a PIN: otherwise its possession alone would be enough.
 */
export function passkeyOptions(url: string, { onAdd, onUse }: PasskeyEvents): PasskeyOptions {
  return {
    rpName: 'Pipit',
    rpID: passkeyHost(url),
    origin: passkeyOrigin(url),
    schema: passkeyTables,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: async ({ ctx, user, verification }) => {
        if (verification.registrationInfo?.userVerified !== true)
          throw new APIError('BAD_REQUEST', { code: 'USER_NOT_VERIFIED_AT_REGISTRATION' })
        const name: unknown = ctx.body?.name
        await onAdd({ userId: user.id, name: typeof name === 'string' ? name.trim() : null })
      },
    },
    authentication: {
      afterVerification: ({ verification: { authenticationInfo } }) => {
        if (!authenticationInfo.userVerified)
          throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED' })
        onUse(authenticationInfo.credentialID)
      },
    },
  }
}

/** Returns the host name for passkeys. They need a name, so loopback addresses become localhost. */
function passkeyHost(url: string): string {
  const { hostname } = new URL(url)
  return /^(127\.|\[)/.test(hostname) ? 'localhost' : hostname
}

function passkeyOrigin(url: string): string {
  const origin = new URL(url)
  origin.hostname = passkeyHost(url)
  return origin.origin
}

const passkeyTables = {
  passkey: {
    modelName: 'passkeys',
    fields: {
      publicKey: 'public_key',
      userId: 'user_id',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
} as const
