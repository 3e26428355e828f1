import { expect, test } from 'vitest'
import { contract, json } from '../protocol/operations/contract.ts'
import { idParams } from '../protocol/operations/panel/query.ts'
import { NoFields } from '../protocol/panel-keys.ts'
import type { Access } from './access/access.ts'
import { HttpResponse } from './reply/http-response.ts'
import { type ApiOperation, operation } from './operation.ts'
import { operationTable, type ServerServices } from './operation-table.ts'

const secret = contract({ method: 'GET', path: '/v1/secret', replies: json(NoFields) })

test('an operation that declares no access or no description does not compile (T3)', () => {
  // @ts-expect-error `access` has no default
  const undeclared = () => operation(secret)(() => ({}))
  // @ts-expect-error `scope` has no default
  const unscoped = () => operation(secret, { auth: 'api-key' })(() => ({}))
  // @ts-expect-error the reference must be able to describe an operation of the API
  const undescribed = (): ApiOperation => operation(secret, { auth: 'none' })(() => ({}))
  // @ts-expect-error only an operation with a key check gets a caller
  const open = () => operation(secret, { auth: 'none' })(({ caller }) => ({ caller }))
  // @ts-expect-error only an operation that takes a place has one
  const unplaced = () => operation(secret, { auth: 'api-key', scope: 'any' })(({ place }) => place)
  expect([undeclared, unscoped, undescribed, open, unplaced]).toHaveLength(5)
})

test('a handler that disagrees with its contract does not compile', () => {
  const named = contract({
    method: 'GET',
    path: '/v1/named/:id',
    params: idParams,
    replies: json(idParams),
  })
  const access = { auth: 'none' } as const
  // @ts-expect-error the path has no such parameter
  const wrongInput = () => operation(named, access)(({ params }) => ({ id: params.name }))
  // @ts-expect-error the contract has no query
  const noQuery = () => operation(named, access)(({ query }) => ({ id: query.id }))
  // @ts-expect-error the response has another type
  const wrongReply = () => operation(named, access)(() => ({ id: 1 }))
  // @ts-expect-error the contract has no such status
  const wrongStatus = () => operation(named, access)(() => new HttpResponse(404, { id: '' }))
  expect([wrongInput, noQuery, wrongReply, wrongStatus]).toHaveLength(4)
})

function whoMayCall(access: Access): string {
  switch (access.auth) {
    case 'none':
      return 'everyone'
    case 'api-key':
      return access.scope
    case 'panel':
      return 'page'
    case 'session':
      return access.role === 'admin' ? 'admin' : 'user'
  }
}

// Adding a row is a decision about who may call the operation.
const allowed = [
  'admin GET /panel/api/accounts',
  'admin GET /panel/api/alerts',
  'admin GET /panel/api/audit',
  'admin GET /panel/api/budgets',
  'admin GET /panel/api/invites',
  'admin GET /panel/api/prices',
  'admin GET /panel/api/replicas',
  'admin POST /panel/api/accounts/:id',
  'admin POST /panel/api/accounts/:id/reset-password',
  'admin POST /panel/api/alerts/mail',
  'admin POST /panel/api/alerts/test',
  'admin POST /panel/api/alerts/webhook',
  'admin POST /panel/api/budgets',
  'admin POST /panel/api/budgets/remove',
  'admin POST /panel/api/invites',
  'admin POST /panel/api/invites/:id/revoke',
  'admin POST /panel/api/invites/allowed',
  'admin POST /panel/api/models/:name/remove',
  'admin POST /panel/api/models/:name/use',
  'admin POST /panel/api/models/pulls',
  'admin POST /panel/api/models/pulls/:id/cancel',
  'admin POST /panel/api/models/pulls/:id/discard',
  'admin POST /panel/api/models/pulls/:id/resume',
  'admin POST /panel/api/prices',
  'admin POST /panel/api/prices/remove',
  'any GET /v1/key',
  'any GET /v1/models',
  'any GET /v1/models/:id',
  'chat POST /v1/chat',
  'chat POST /v1/chat/completions',
  'chat POST /v1/chat/completions/input_tokens',
  'chat POST /v1/tokenize',
  'everyone GET /docs',
  'everyone GET /docs/:page',
  'everyone GET /docs/:section/:name',
  'everyone GET /healthz',
  'everyone GET /openapi.json',
  'everyone GET /panel/assets/:name',
  'everyone GET /readyz',
  'page GET /',
  'page GET /accounts',
  'page GET /audit',
  'page GET /keys',
  'page GET /live',
  'page GET /model',
  'page GET /panel/api/auth/callback/oidc',
  'page GET /panel/api/auth/passkey/generate-authenticate-options',
  'page GET /panel/api/setup',
  'page GET /playground',
  'page GET /quick-start',
  'page GET /replicas',
  'page GET /requests',
  'page GET /requests/:id',
  'page GET /reset-password',
  'page GET /settings',
  'page GET /setup',
  'page GET /sign-in',
  'page GET /sign-up',
  'page GET /spending',
  'page GET /usage',
  'page POST /panel/api/auth/passkey/verify-authentication',
  'page POST /panel/api/auth/sign-in/email',
  'page POST /panel/api/auth/sign-in/oauth2',
  'page POST /panel/api/auth/sign-out',
  'page POST /panel/api/auth/two-factor/verify-backup-code',
  'page POST /panel/api/auth/two-factor/verify-totp',
  'page POST /panel/api/reset-password',
  'page POST /panel/api/reset-password/account',
  'page POST /panel/api/setup',
  'page POST /panel/api/sign-up',
  'page POST /panel/api/sign-up/invite',
  'read GET /v1/requests',
  'read GET /v1/requests/:id',
  'user GET /panel/api/auth/list-sessions',
  'user GET /panel/api/auth/passkey/list-user-passkeys',
  'user GET /panel/api/keys',
  'user GET /panel/api/keys/:id',
  'user GET /panel/api/live',
  'user GET /panel/api/me',
  'user GET /panel/api/model',
  'user GET /panel/api/models',
  'user GET /panel/api/requests',
  'user GET /panel/api/requests.csv',
  'user GET /panel/api/requests.json',
  'user GET /panel/api/requests/:id',
  'user GET /panel/api/usage',
  'user GET /panel/api/usage.csv',
  'user POST /panel/api/auth/change-password',
  'user POST /panel/api/auth/passkey/delete-passkey',
  'user POST /panel/api/auth/passkey/generate-register-options',
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
]

test('the operations that take a place before their body is read (T49)', () => {
  const services = {
    now: () => 0,
    panelFolder: '',
    completionTokens: { default: 256, max: 2048 },
  } as unknown as ServerServices
  const placed = operationTable(services).filter(({ access }) => 'takes' in access)
  expect(placed.map(({ contract }) => contract.path)).toEqual([
    '/v1/chat/completions',
    '/v1/chat',
    '/v1/chat/completions/input_tokens',
    '/v1/tokenize',
    '/panel/api/chat/completions',
    '/panel/api/chat/completions/input_tokens',
  ])
})

test('the operations, and who may call them (T3)', () => {
  const services = {
    now: () => 0,
    panelFolder: '',
    completionTokens: { default: 256, max: 2048 },
  } as unknown as ServerServices
  const table = operationTable(services).map(
    ({ access, contract: { method, path } }) => `${whoMayCall(access)} ${method} ${path}`,
  )
  expect(table.toSorted()).toEqual(allowed)
})
