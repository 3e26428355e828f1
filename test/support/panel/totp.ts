import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the code that an authenticator app shows for a secret in base 32 (RFC 6238: SHA-1, 6 digits, 30 s). */
export function totp(secret: string, timeMs = Date.now()): string {
  const bits = Array.from(secret, (char) => alphabet.indexOf(char).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(timeMs / 30_000)))
  const hash = createHmac('sha1', Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))))
    .update(counter)
    .digest()
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** Returns the code after the current one. It is accepted already, and is needed after a use of the current one. */
export function nextTotp(secret: string): string {
  return totp(secret, Date.now() + 30_000)
}
