import { isAlive, isReady } from '../../protocol/operations/service.ts'
import { HttpResponse } from '../reply/http-response.ts'
import { type ApiOperation, operation } from '../operation.ts'

export type Readiness = { engine: boolean; ledger: boolean; accepting: boolean }

export function healthOperations(readiness: () => Readiness): ApiOperation[] {
  return [
    operation(isAlive, { auth: 'none' })(() => ({ status: 'alive' })),
    operation(isReady, { auth: 'none' })(() => {
      const parts = readiness()
      if (parts.engine && parts.ledger && parts.accepting) return { status: 'ready', ...parts }
      return new HttpResponse(503, { status: 'not ready', ...parts })
    }),
  ]
}
