import { expect, test } from 'vitest'
import type { Route, RouteDoc } from './route.ts'
import { routeTable, type ServerServices } from './server.ts'

test('a route that declares no authentication or no description does not compile', () => {
  const doc: RouteDoc = { operationId: 'x', summary: 'x', replies: {}, errors: [] }
  // @ts-expect-error `auth` has no default
  const undeclared: Route = { method: 'GET', url: '/v1/secret', doc, handler: () => ({}) }
  // @ts-expect-error nor has `scope`
  const unscoped: Route = { method: 'GET', url: '/', auth: 'api-key', doc, handler: () => ({}) }
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
  expect([undeclared, unscoped, undescribed, publicRoute]).toHaveLength(4)
})

function whoMayCall(route: Route): string {
  switch (route.auth) {
    case 'none':
      return 'anybody'
    case 'api-key':
      return route.scope
    case 'panel':
      return 'page'
    case 'session':
      return route.role === 'admin' ? 'admin' : 'user'
  }
}

// A new row here is a decision: who may call it?
test('the routes, and who may call them', () => {
  const services = { now: () => 0, panelFolder: '' } as unknown as ServerServices
  const table = routeTable(services).map((route) => {
    const who = whoMayCall(route)
    return `${who} ${route.method} ${route.url}`
  })
  expect(table.toSorted()).toEqual([
    'admin GET /panel/api/accounts',
    'admin GET /panel/api/invites',
    'admin POST /panel/api/accounts/:id',
    'admin POST /panel/api/accounts/:id/reset-password',
    'admin POST /panel/api/invites',
    'admin POST /panel/api/invites/:id/revoke',
    'any GET /v1/key',
    'any GET /v1/models',
    'any GET /v1/models/:id',
    'anybody GET /docs',
    'anybody GET /healthz',
    'anybody GET /openapi.json',
    'anybody GET /readyz',
    'chat POST /v1/chat',
    'chat POST /v1/chat/completions',
    'chat POST /v1/chat/completions/input_tokens',
    'page GET /',
    'page GET /accounts',
    'page GET /keys',
    'page GET /live',
    'page GET /panel/api/auth/callback/oidc',
    'page GET /panel/api/auth/passkey/generate-authenticate-options',
    'page GET /panel/api/setup',
    'page GET /panel/assets/:name',
    'page GET /playground',
    'page GET /quick-start',
    'page GET /requests',
    'page GET /requests/:id',
    'page GET /reset-password',
    'page GET /settings',
    'page GET /setup',
    'page GET /sign-in',
    'page GET /sign-up',
    'page GET /usage',
    'page POST /panel/api/auth/passkey/verify-authentication',
    'page POST /panel/api/auth/sign-in/email',
    'page POST /panel/api/auth/sign-in/oauth2',
    'page POST /panel/api/auth/sign-out',
    'page POST /panel/api/auth/two-factor/verify-backup-code',
    'page POST /panel/api/auth/two-factor/verify-totp',
    'page POST /panel/api/reset-password',
    'page POST /panel/api/setup',
    'page POST /panel/api/sign-up',
    'read GET /v1/requests',
    'read GET /v1/requests/:id',
    'user GET /panel/api/auth/list-sessions',
    'user GET /panel/api/auth/passkey/generate-register-options',
    'user GET /panel/api/auth/passkey/list-user-passkeys',
    'user GET /panel/api/keys',
    'user GET /panel/api/keys/:id',
    'user GET /panel/api/live',
    'user GET /panel/api/me',
    'user GET /panel/api/requests',
    'user GET /panel/api/requests/:id',
    'user GET /panel/api/usage',
    'user GET /panel/api/usage.csv',
    'user POST /panel/api/auth/change-password',
    'user POST /panel/api/auth/passkey/delete-passkey',
    'user POST /panel/api/auth/passkey/update-passkey',
    'user POST /panel/api/auth/passkey/verify-registration',
    'user POST /panel/api/auth/revoke-other-sessions',
    'user POST /panel/api/auth/revoke-session',
    'user POST /panel/api/auth/revoke-sessions',
    'user POST /panel/api/auth/two-factor/disable',
    'user POST /panel/api/auth/two-factor/enable',
    'user POST /panel/api/auth/two-factor/generate-backup-codes',
    'user POST /panel/api/auth/two-factor/get-totp-uri',
    'user POST /panel/api/auth/update-user',
    'user POST /panel/api/chat/completions',
    'user POST /panel/api/chat/completions/input_tokens',
    'user POST /panel/api/keys',
    'user POST /panel/api/keys/:id',
    'user POST /panel/api/keys/:id/revoke',
    'user POST /panel/api/keys/:id/rotate',
  ])
})
