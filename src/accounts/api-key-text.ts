import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

// An API key is `sk-pipit-`, 256 random bits and a checksum, in letters and digits.
const prefix = 'sk-pipit-'
const randomChars = 43
const checksumChars = 6
const shownChars = 4
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${randomChars + checksumChars}}$`)
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function generateApiKey(random: (size: number) => Uint8Array = randomBytes): string {
  const body = prefix + randomText(randomChars, random)
  return body + checksumOf(body)
}

/** Returns the digest under which the key is stored, or undefined if its format or checksum is wrong. */
export function parseApiKey(text: string): string | undefined {
  if (!shape.test(text)) return undefined
  const body = text.slice(0, -checksumChars)
  return text.endsWith(checksumOf(body)) ? digestOf(text) : undefined
}

/**
 * Returns the last characters of a key, which belong to its checksum. They are stored so that the owner can recognise
 * the key.
 */
export function endOfKey(key: string): string {
  return key.slice(-shownChars)
}

/** Returns the part of a key that is shown to its owner: `sk-pipit-…` and its last characters. */
export function hintOf(end: string): string {
  return `${prefix}…${end}`
}

/** SHA-256 in hex. A slow password hash is not needed, because 256 random bits cannot be guessed. */
export function digestOf(key: string): string {
  return hash('sha256', key, 'hex')
}

function checksumOf(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < checksumChars; place++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

function randomText(length: number, random: (size: number) => Uint8Array): string {
  // Bytes above the last multiple of 62 are skipped: they would make some characters more likely.
  const fairBelow = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length)
    for (const byte of random(length))
      if (byte < fairBelow && text.length < length) text += alphabet.charAt(byte % alphabet.length)
  return text
}
