import { retrieveKey } from '../../protocol/operations/service.ts'
import type { RateLimiter } from '../../usage/limits/rate-limiter.ts'
import { type ApiOperation, operation } from '../operation.ts'
import { toKey } from '../wire/to-key.ts'

export function keyOperation(rateLimits: RateLimiter): ApiOperation {
  return operation(retrieveKey, { auth: 'api-key', scope: 'any' })(async ({ caller }) => {
    await rateLimits.look([caller])
    return toKey(caller, rateLimits.state(caller))
  })
}
