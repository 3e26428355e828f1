import type { Route } from '../route.ts'

export type Readiness = { engine: boolean; ledger: boolean; accepting: boolean }

export function healthRoutes(readiness: () => Readiness): Route[] {
  return [
    { method: 'GET', url: '/healthz', auth: 'none', handler: () => ({ status: 'alive' }) },
    {
      method: 'GET',
      url: '/readyz',
      auth: 'none',
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
