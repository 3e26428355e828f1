import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../../errors.ts'
import { idempotencyKeyCharsMax } from '../../limits.ts'

const shape = new RegExp(`^[\\x21-\\x7e]{1,${idempotencyKeyCharsMax}}$`)

/**
 * Returns the `Idempotency-Key`, or undefined for a request without one.
 * @throws ServiceError invalid_value
 */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']
  // Node joins repeated headers with a comma and a space, which the shape refuses.
  if (key === undefined || (typeof key === 'string' && shape.test(key))) return key
  throw new ServiceError(
    'invalid_value',
    `Send one \`Idempotency-Key\` of 1 to ${idempotencyKeyCharsMax} visible ASCII characters.`,
  )
}
