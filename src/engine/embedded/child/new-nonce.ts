import { randomBytes } from 'node:crypto'

/** Returns random digits, which no filter of a template changes. */
export function newNonce(): string {
  return BigInt(`0x${randomBytes(16).toString('hex')}`).toString()
}
