import type { PasskeyOptions } from '@better-auth/passkey'

type PasskeyEvents = {
  /** Called before a passkey is stored. */
  onAdd: (passkey: { userId: string; name: string | null }) => Promise<void>
}

/** Returns better-auth's options for passkeys at this URL. */
export function passkeyOptions(url: string, { onAdd }: PasskeyEvents): PasskeyOptions {
  return {
    rpName: 'Pipit',
    rpID: passkeyHost(url),
    origin: passkeyOrigin(url),
    schema: passkeyTables,
    registration: {
      afterVerification: async ({ ctx, user }) => {
        const name: unknown = ctx.body?.name
        await onAdd({ userId: user.id, name: typeof name === 'string' ? name.trim() : null })
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
