import { expect, test } from 'vitest'
import type { Route } from './route.ts'
import { routeTable, type ServerServices } from './server.ts'

test('a route that declares no authentication does not compile', () => {
  // @ts-expect-error `auth` has no default
  const undeclared: Route = { method: 'GET', url: '/v1/secret', handler: () => ({}) }
  // @ts-expect-error only a route with a key check is given a caller
  const publicRoute: Route = {
    method: 'GET',
    url: '/',
    auth: 'none',
    handler: (_request: unknown, _reply: unknown, caller: { accountId: string }) =>
      caller.accountId,
  }
  expect([undeclared, publicRoute]).toHaveLength(2)
})

// A new row here is a decision: who may call it?
test('the routes, and who may call them', () => {
  const services = { now: () => 0 } as unknown as ServerServices
  const table = routeTable(services).map(({ auth, method, url }) => `${auth} ${method} ${url}`)
  expect(table.toSorted()).toEqual([
    'api-key GET /v1/models',
    'api-key GET /v1/models/:id',
    'api-key POST /v1/chat',
    'api-key POST /v1/chat/completions',
    'none GET /healthz',
    'none GET /readyz',
  ])
})
