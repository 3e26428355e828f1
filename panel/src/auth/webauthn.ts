import { ApiError } from '../api.ts'

/** Asks the user for a passkey. @throws ApiError with a message for the user */
export async function readPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<object> {
  assertSupported()
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return runCeremony(() => navigator.credentials.get({ publicKey }))
}

/** Creates a passkey on this device or a connected one. @throws ApiError with a message for the user */
export async function createPasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<object> {
  assertSupported()
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return runCeremony(() => navigator.credentials.create({ publicKey }))
}

/** Returns why passkeys cannot work at this address, or undefined if they can. Browsers allow none at an IP address. */
export function passkeysBlocked(): { reason: string; url: string | undefined } | undefined {
  const { hostname, protocol, port } = window.location
  if (!/^[\d.]+$|^\[/.test(hostname)) return undefined
  const isOwn = hostname.startsWith('127.') || hostname === '[::1]'
  const url = `${protocol}//localhost${port === '' ? '' : `:${port}`}/settings`
  return {
    reason: 'Passkeys do not work at an IP address.',
    url: isOwn ? url : undefined,
  }
}

function assertSupported(): void {
  if ('PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential)
    return
  throw passkeyError(
    window.isSecureContext
      ? 'This browser does not support passkeys. Update it, or use your password.'
      : 'Passkeys need HTTPS or localhost. Open the panel at one of these.',
  )
}

async function runCeremony(ask: () => Promise<Credential | null>): Promise<object> {
  try {
    const credential = await ask()
    if (credential instanceof PublicKeyCredential) return credential.toJSON()
  } catch (error) {
    throw passkeyError(messageFor(error))
  }
  throw passkeyError('No passkey was selected.')
}

function messageFor(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  switch (name) {
    case 'NotAllowedError':
      return 'The passkey request was cancelled or timed out. Try again.'
    case 'InvalidStateError':
      return 'This device already has a passkey for your account.'
    case 'SecurityError':
      return 'Passkeys do not work at this address. On this machine, open the panel at localhost instead of 127.0.0.1.'
    default:
      return 'The browser could not use a passkey. Try again, or use your password.'
  }
}

function passkeyError(message: string): ApiError {
  return new ApiError(0, 'passkey_refused', message)
}
