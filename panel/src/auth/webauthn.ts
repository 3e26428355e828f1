import { ApiError } from '../api.ts'

/** Asks the person for one of their passkeys. @throws ApiError in words for people */
export async function readPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<object> {
  assertSupported()
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return ceremony(() => navigator.credentials.get({ publicKey }))
}

/** Makes a passkey on this device, or one that it can reach. @throws ApiError in words for people */
export async function createPasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<object> {
  assertSupported()
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return ceremony(() => navigator.credentials.create({ publicKey }))
}

function assertSupported(): void {
  if ('PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential)
    return
  throw refused(
    window.isSecureContext
      ? 'This browser cannot use passkeys here. Update it, or sign in with the password.'
      : 'Browsers offer passkeys over https or on localhost only. Open the panel there.',
  )
}

async function ceremony(ask: () => Promise<Credential | null>): Promise<object> {
  try {
    const credential = await ask()
    if (credential instanceof PublicKeyCredential) return credential.toJSON()
  } catch (error) {
    throw refused(wordsFor(error))
  }
  throw refused('No passkey was chosen.')
}

function wordsFor(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  switch (name) {
    case 'NotAllowedError':
      return 'No passkey was used: it was cancelled, or took too long. Try again.'
    case 'InvalidStateError':
      return 'This device already holds a passkey of yours.'
    case 'SecurityError':
      return 'Passkeys belong to the name of a site, and this address is not the one. On this machine, open the panel at localhost instead of 127.0.0.1.'
    default:
      return 'The browser could not use a passkey. Try again, or use the password.'
  }
}

function refused(message: string): ApiError {
  return new ApiError(0, 'passkey_refused', message)
}
