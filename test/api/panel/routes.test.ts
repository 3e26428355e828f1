import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/http/operation.ts'
import { operationTable, type ServerServices } from '../../../src/http/operation-table.ts'
import { addUser, type Signed, setUp } from '../../support/panel/panel.ts'
import { send } from '../../support/http/send.ts'
import { codeOf } from '../../support/error-of.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

/** Operations from the service's own table, so that the tests cover every new one. No handler is called. */
const table = operationTable({
  now: () => 0,
  panelFolder: '/nowhere',
  completionTokens: { default: 256, max: 2048 },
} as unknown as ServerServices).map(({ contract: { method, path }, access }) => ({
  method,
  url: path,
  ...access,
}))
type Route = Pick<Operation['contract'], 'method'> & { url: string } & Operation['access']
const isOfSession = (route: Route) => route.auth === 'session'
const isOfPanel = (route: Route) => route.auth === 'session' || route.auth === 'panel'
const named = (route: Route) => [`${route.method} ${route.url}`, route] as const
const ofSession = table.filter(isOfSession).map(named)
const ofPanel = table.filter(isOfPanel).map(named)
const changing = table.filter((route) => isOfPanel(route) && route.method === 'POST').map(named)
const ofKeys = table.filter((route) => route.auth === 'api-key').map(named)

/** Bodies that would change the object that a route names, by route. */
const bodies: Readonly<Record<string, object>> = {
  '/panel/api/keys/:id': { name: 'mine now' },
  '/panel/api/keys/:id/rotate': { grace_ms: 0 },
  '/panel/api/accounts/:id': { name: 'mine now' },
}

/** Query strings of the routes that need one. */
const queries: Readonly<Record<string, string>> = {
  '/panel/api/usage': `?from_ms=${Date.now() - 3_600_000}&to_ms=${Date.now() + 3_600_000}&step=hour`,
  '/panel/api/usage.csv': `?from_ms=${Date.now() - 3_600_000}&to_ms=${Date.now() + 3_600_000}&step=hour`,
}

let service: TestService
let owner: Signed
let member: Signed
let requestId: string
beforeAll(async () => {
  service = await startTestService()
  owner = await setUp(service)
  member = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
  requestId = (await service.post(question)).headers.get('x-request-id') ?? ''
})
afterAll(() => service.close())

function call(
  { method, url }: Route,
  headers: Record<string, string | undefined>,
  ids: Record<string, string> = {},
  body: string = JSON.stringify(bodies[url] ?? {}),
) {
  const path = url.replace(/:(\w+)/, (_, name: string) => ids[name] ?? 'none')
  const ofBody = { origin: service.url, 'content-type': 'application/json' }
  const sent = Object.entries(method === 'POST' ? { ...ofBody, ...headers } : headers)
  return fetch(service.url + path + (queries[url] ?? ''), {
    method,
    redirect: 'manual',
    headers: sent.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ...(method === 'POST' ? { body } : {}),
  })
}

function withAnotherLetter(text: string): string {
  return text.slice(0, -1) + (text.endsWith('x') ? 'y' : 'x')
}

describe('without a session (T3)', () => {
  test.each(ofSession)('%s is refused, also with an API key', async (_, route) => {
    expect(await codeOf(await call(route, {}))).toEqual([401, 'session_required'])
    const withKey = { authorization: `Bearer ${service.key}` }
    expect(await codeOf(await call(route, withKey))).toEqual([401, 'session_required'])
    const forged = { cookie: owner.cookie.replace(/session_token=./, withAnotherLetter) }
    expect(await codeOf(await call(route, forged))).toEqual([401, 'session_required'])
  })

  test.each(ofSession)('%s is refused after the session has ended', async (_, route) => {
    expect(await codeOf(await call(route, { cookie: await endedCookie() }))).toEqual([
      401,
      'session_required',
    ])
  })
})

test.each(ofSession)('%s is refused to a page that shows another user', async (_, route) => {
  const headers = { cookie: owner.cookie, 'pipit-user': member.me.user.id }
  expect(await codeOf(await call(route, headers))).toEqual([401, 'session_required'])
  const own = { cookie: owner.cookie, 'pipit-user': owner.me.user.id }
  const me = await fetch(`${service.url}/panel/api/me`, { headers: own })
  expect(me.status).toBe(200)
})

test.each(ofKeys)('%s does not accept a session instead of an API key (T4)', async (_, route) => {
  expect(await codeOf(await call(route, { cookie: owner.cookie }))).toEqual([
    401,
    'missing_api_key',
  ])
})

test.each(
  table
    .filter((route) => isOfSession(route) && 'role' in route && route.role === 'admin')
    .map(named),
)('%s is for administrators only (T3)', async (_, route) => {
  expect(await codeOf(await call(route, { cookie: member.cookie }))).toEqual([
    403,
    'insufficient_permissions',
  ])
})

describe('a request from a page of another origin (T11)', () => {
  test.each(changing)('to %s changes nothing', async (_, route) => {
    const { cookie } = owner
    const before = await everythingOf(owner)
    const https = service.url.replace('http', 'https')
    for (const origin of ['https://evil.example', 'null', https, '', undefined])
      expect([origin, ...(await codeOf(await call(route, { cookie, origin })))]).toEqual([
        origin,
        403,
        'origin_not_allowed',
      ])
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expect(await codeOf(await call(route, { cookie, 'content-type': type }))).toEqual([
        415,
        'unsupported_media_type',
      ])
    expect(await everythingOf(owner)).toEqual(before)
  })
})

describe('under a foreign host name, such as one that was rebound', () => {
  test.each(ofPanel)('%s is refused, also with a session (T58)', async (_, { method, url }) => {
    const headers = { cookie: owner.cookie, 'content-type': 'application/json' }
    const host = 'evil.example:8080'
    const foreign = { ...headers, host, origin: `http://${host}` }
    const reply = await send(service.url + url, { method, headers: foreign })
    expect([reply.status, reply.code]).toEqual([403, 'host_not_allowed'])
  })
})

describe('two accounts (T8)', () => {
  const things = ofSession.filter(
    ([, route]) => route.url.includes(':id') && 'role' in route && route.role === 'any',
  )

  test.each(things)('%s returns 404 for objects of another account', async (_, route) => {
    const before = await everythingOf(owner)
    for (const id of [await keyId(), requestId, owner.me.account.id])
      expect([id, (await call(route, { cookie: member.cookie }, { id })).status]).toEqual([id, 404])
    expect(await everythingOf(owner)).toEqual(before)
  })

  const lists = ofSession.filter(
    ([, { method, url, ...route }]) =>
      method === 'GET' && !url.includes(':') && 'role' in route && route.role === 'any',
  )

  test.each(lists)('%s contains nothing of another account', async (_, route) => {
    const response = await call(route, { cookie: member.cookie })
    const text = await response.text()
    expect([response.status, text]).toEqual([200, text])
    const ids = [await keyId(), requestId, owner.me.account.id, owner.me.user.id]
    for (const id of [...ids, ...(await sessionIds(owner))]) expect(text).not.toContain(id)
    expect(text).not.toContain('ada@example.com')
  })
})

/** Returns all data of an account that a route could change. */
async function everythingOf({ get }: Signed) {
  const paths = ['/me', '/accounts', '/invites', '/auth/list-sessions', '/keys']
  return await Promise.all(
    paths.map(async (path) => {
      const text = await (await get(path)).text()
      return text.replaceAll(/"(last_seen_ms|last_used_ms|reset_ms)":[^,}]+/g, '')
    }),
  )
}

async function keyId(): Promise<string> {
  const response = await service.request('/v1/key')
  return ((await response.json()) as { id: string }).id
}

async function sessionIds({ get }: Signed): Promise<string[]> {
  const sessions = (await (await get('/auth/list-sessions')).json()) as { token: string }[]
  expect(sessions).not.toEqual([])
  return sessions.map(({ token }) => token)
}

let ended: Promise<string> | undefined
function endedCookie(): Promise<string> {
  ended ??= addUser(service, { email: 'carol@example.com', name: 'Carol' }).then(async (carol) => {
    await carol.post('/auth/sign-out')
    return carol.cookie
  })
  return ended
}
