import { expect, test } from 'vitest'
import type { Route, RouteDoc } from './route.ts'
import { routeTable, type ServerServices } from './server.ts'

test('a route that declares no authentication or no description does not compile', () => {
  const doc: RouteDoc = { operationId: 'x', summary: 'x', replies: {}, errors: [] }
  // @ts-expect-error `auth` has no default
  const undeclared: Route = { method: 'GET', url: '/v1/secret', doc, handler: () => ({}) }
  // @ts-expect-error whoever calls it must be told what it does
  const undescribed: Route = { method: 'GET', url: '/', auth: 'none', handler: () => ({}) }
  // @ts-expect-error only a route with a key check is given a caller
  const publicRoute: Route = {
    method: 'GET',
    url: '/',
    auth: 'none',
    doc,
    handler: (_request: unknown, _reply: unknown, caller: { accountId: string }) =>
      caller.accountId,
  }
  expect([undeclared, undescribed, publicRoute]).toHaveLength(3)
})

// A new row here is a decision: who may call it?
test('the routes, and who may call them', () => {
  const services = { now: () => 0 } as unknown as ServerServices
  const table = routeTable(services).map(({ auth, method, url }) => `${auth} ${method} ${url}`)
  expect(table.toSorted()).toEqual([
    'api-key GET /v1/models',
    'api-key GET /v1/models/:id',
    'api-key GET /v1/requests',
    'api-key GET /v1/requests/:id',
    'api-key POST /v1/chat',
    'api-key POST /v1/chat/completions',
    'api-key POST /v1/chat/completions/input_tokens',
    'none GET /docs',
    'none GET /healthz',
    'none GET /openapi.json',
    'none GET /readyz',
  ])
})
