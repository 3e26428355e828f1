import { retrieveKey } from '../../protocol/operations/service.ts'
import type { RateLimits } from '../../usage/limits/rate-limits.ts'
import { type ApiOperation, operation } from '../operation.ts'
import { toKey } from '../wire/to-key.ts'

export function keyOperation(rateLimits: RateLimits): ApiOperation {
  return operation(retrieveKey, { auth: 'api-key', scope: 'any' })(({ caller }) =>
    toKey(caller, rateLimits.state(caller)),
  )
}
