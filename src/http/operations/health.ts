import { LivenessReply, ReadinessReply } from '../../protocol/health.ts'
import type { ApiRoute } from '../route.ts'

export type Readiness = { engine: boolean; ledger: boolean; accepting: boolean }

export function healthRoutes(readiness: () => Readiness): ApiRoute[] {
  const readinessContent = { 'application/json': ReadinessReply }
  return [
    {
      method: 'GET',
      url: '/healthz',
      auth: 'none',
      doc: {
        operationId: 'isAlive',
        summary: 'Whether the process is alive',
        replies: {
          200: { description: 'It is.', content: { 'application/json': LivenessReply } },
        },
        errors: [],
      },
      handler: () => ({ status: 'alive' }),
    },
    {
      method: 'GET',
      url: '/readyz',
      auth: 'none',
      doc: {
        operationId: 'isReady',
        summary: 'Whether completions can be made now',
        replies: {
          200: { description: 'They can.', content: readinessContent },
          503: { description: 'Not now; the parts say why.', content: readinessContent },
        },
        errors: [],
      },
      handler: (_request, reply) => {
        const parts = readiness()
        const ready = parts.engine && parts.ledger && parts.accepting
        return reply
          .code(ready ? 200 : 503)
          .send({ status: ready ? 'ready' : 'not ready', ...parts })
      },
    },
  ]
}
