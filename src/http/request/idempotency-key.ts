import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { idempotencyKeyCharsMax } from '../../limits.ts'

const shape = new RegExp(`^[\\x21-\\x7e]{1,${idempotencyKeyCharsMax}}$`)

/**
 * Undefined: the request has none.
 * @throws ServiceError invalid_value
 */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  // Node joins headers that come twice with a comma and a space.
  if (key === undefined || (typeof key === 'string' && shape.test(key))) return key
  throw new ServiceError(
    'invalid_value',
    `An Idempotency-Key is 1 to ${idempotencyKeyCharsMax} visible ASCII characters, sent once.`,
  )
}
