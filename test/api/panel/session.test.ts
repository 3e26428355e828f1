import BetterSqlite3 from 'better-sqlite3'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Me } from '../../../src/protocol/panel-session.ts'
import type { LogFields, Logger } from '../../../src/telemetry/logger.ts'
import {
  addUser,
  admin,
  cookiesOf,
  postPanel,
  type Signed,
  setUp,
  signIn,
} from '../../support/panel/panel.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { codeOf } from '../../support/error-of.ts'
import { question, readStream, startTestService, type TestService } from '../../support/service.ts'

const lines: string[] = []
const note = (message: string, fields: LogFields = {}) => {
  const { error, ...others } = fields
  lines.push(JSON.stringify({ message, ...others, error: String(error) }))
}
const logger: Logger = { debug: note, info: note, warn: note, error: note }

let service: TestService
let ada: Signed
beforeAll(async () => {
  service = await startTestService({ logger, environment: { PIPIT_SIGN_UP: 'invite' } })
  ada = await setUp(service)
})
afterAll(() => service.close())

type Row = { id: string; name: string; email: string | null; keys: number; disabled: boolean }
const accountsOf = async ({ get }: Signed) =>
  ((await (await get('/accounts?limit=200')).json()) as { data: Row[] }).data.map(
    ({ id, name, email, keys, disabled }) => ({ id, name, email, keys, disabled }),
  )
/** Changes the database through a connection of its own. */
function withRows({ dataDir }: TestService, change: (db: BetterSqlite3.Database) => unknown): void {
  const db = new BetterSqlite3(join(dataDir, 'pipit.db'))
  try {
    change(db)
  } finally {
    db.close()
  }
}
const secretOf = (url: string | undefined) => url?.split('#')[1] ?? ''

describe('set-up', () => {
  test('creates the first user, an admin with the existing account and its keys', async () => {
    expect(ada.me).toMatchObject({
      user: { email: admin.email, name: admin.name, role: 'admin', two_factor_enabled: false },
      account: { name: admin.name, limits: { requests_per_minute: null } },
    })
    const [account] = await accountsOf(ada)
    expect(account).toMatchObject({ id: ada.me.account.id, keys: 1 })
  })

  test('works only once', async () => {
    const secret = secretOf(service.setUpUrl)
    const again = await postPanel(service, '/setup', { ...admin, email: 'eve@example.com', secret })
    expect(await codeOf(again)).toEqual([410, 'link_expired'])
  })

  test('is refused with an expired link', async () => {
    const first = await startTestService()
    try {
      // Expires the link in the database.
      const old = secretOf(first.setUpUrl)
      withRows(first, (db) =>
        db.prepare('update one_time_links set expires_ms = 1 where purpose = ?').run('setup'),
      )
      const late = await postPanel(first, '/setup', { ...admin, secret: old })
      expect(await codeOf(late)).toEqual([410, 'link_expired'])
      const state = await fetch(`${first.url}/panel/api/setup`)
      expect(await state.json()).toMatchObject({ needs_setup: true, sign_up: 'closed', oidc: null })
    } finally {
      await first.close()
    }
  })
})

describe('a session', () => {
  test('is a cookie that scripts and other sites cannot read, and ends with the sign-out (T12)', async () => {
    const { email, password } = admin
    const response = await postPanel(service, '/auth/sign-in/email', { email, password })
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(
      /^pipit\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const text = await response.text()
    expect(text).not.toContain(decodeURIComponent(cookie.slice(20, 52)))
    const { get, post, cookie: sent } = await signIn(service)
    expect((await get('/me')).status).toBe(200)
    expect((await post('/auth/sign-out')).status).toBe(200)
    expect(await codeOf(await get('/me'))).toEqual([401, 'session_required'])
    expect(sent).not.toBe('')
  })

  test('ends when the browser signs in again (T12)', async () => {
    const before = await signIn(service)
    const { email, password } = admin
    const headers = { cookie: before.cookie }
    const response = await postPanel(service, '/auth/sign-in/email', { email, password }, headers)
    expect([response.status, cookiesOf(response)]).not.toEqual([200, before.cookie])
    expect(await codeOf(await before.get('/me'))).toEqual([401, 'session_required'])
  })

  test('is listed without its cookie value, and can be ended from another session', async () => {
    const here = await signIn(service)
    const there = await signIn(service)
    const list = (await (await here.get('/auth/list-sessions')).json()) as {
      token: string
      current: boolean
    }[]
    expect(list.filter(({ current }) => current)).toHaveLength(1)
    expect(JSON.stringify(list)).not.toContain(there.cookie.slice(22, 50))
    for (const { token, current } of list)
      if (!current) await here.post('/auth/revoke-session', { token })
    expect((await there.get('/me')).status).toBe(401)
    expect((await here.get('/me')).status).toBe(200)
    const none = await here.post('/auth/revoke-session', { token: 'none' })
    expect(await codeOf(none)).toEqual([404, 'not_found'])
    ada = here
  })

  test('works under every address of the service', async () => {
    const url = service.url.replace('127.0.0.1', 'localhost')
    const at = await signIn({ ...service, url })
    expect((await at.post('/auth/update-user', { name: 'Ada' })).status).toBe(200)
    expect((await at.get('/me')).status).toBe(200)
  })

  test('of another user cannot be ended (T8)', async () => {
    const eve = await addUser(service, { email: 'eve1@example.com', name: 'Eve' })
    const sessions = (await (await ada.get('/auth/list-sessions')).json()) as { token: string }[]
    for (const { token } of sessions)
      expect(await codeOf(await eve.post('/auth/revoke-session', { token }))).toEqual([
        404,
        'not_found',
      ])
    expect((await ada.get('/me')).status).toBe(200)
  })

  test('ends when another session changes the password; a wrong password changes nothing', async () => {
    const bob = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
    const other = await signIn(service, { email: 'bob@example.com', password: 'password of Bob' })
    const wrong = { currentPassword: 'something', newPassword: 'a new password' }
    expect(await codeOf(await bob.post('/auth/change-password', wrong))).toEqual([
      401,
      'invalid_credentials',
    ])
    expect((await other.get('/me')).status).toBe(200)
    const right = { currentPassword: 'password of Bob', newPassword: 'a new password' }
    expect((await bob.post('/auth/change-password', right)).status).toBe(200)
    expect((await other.get('/me')).status).toBe(401)
    await signIn(service, { email: 'bob@example.com', password: 'a new password' })
  })

  test('is refused after its expiry', async () => {
    const old = await addUser(service, { email: 'old@example.com', name: 'Old' })
    withRows(service, (db) =>
      db
        .prepare('update sessions set expires_at = ? where user_id = ?')
        .run('2020-01-01T00:00:00.000Z', old.me.user.id),
    )
    expect(await codeOf(await old.get('/me'))).toEqual([401, 'session_required'])
  })
})

test('an unknown address and a wrong password get the same response (T5)', async () => {
  const answers = await Promise.all(
    [
      { email: admin.email, password: 'not the one' },
      { email: 'nobody@example.com', password: 'not the one' },
    ].map(async (body) => {
      const response = await postPanel(service, '/auth/sign-in/email', body)
      return [response.status, response.headers.get('set-cookie'), await response.text()]
    }),
  )
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.[0]).toBe(401)
})

test('repeated wrong passwords get 429, whatever X-Forwarded-For contains (T10)', async () => {
  const statuses: number[] = []
  let response: Response | undefined
  for (let i = 0; i < 7; i++) {
    const body = { email: 'guess@example.com', password: `guess ${i}` }
    response = await postPanel(service, '/auth/sign-in/email', body, {
      'x-forwarded-for': `10.0.0.${i}`,
    })
    statuses.push(response.status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
  expect(Number(response?.headers.get('retry-after'))).toBeGreaterThan(0)
})

describe('a sign-up with bad input is refused and changes nothing (T7)', () => {
  const person = { email: 'new@example.com', password: 'long enough', name: 'New' }
  const cases: [string, object, number, string][] = [
    ['a short password', { password: '1234567' }, 400, 'invalid_value'],
    ['a long password', { password: 'x'.repeat(129) }, 400, 'invalid_value'],
    ['an invalid address', { email: 'not an address' }, 400, 'invalid_value'],
    ['a taken address', { email: admin.email.toUpperCase() }, 409, 'email_taken'],
    ['an empty name', { name: '  ' }, 400, 'invalid_value'],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, 400, 'string_above_max_length'],
    ['a name of 65 characters', { name: 'x'.repeat(65) }, 400, 'invalid_value'],
    ['a name with a bidirectional control character', { name: 'a\u202eb' }, 400, 'invalid_value'],
    ['a role', { role: 'admin' }, 400, 'unsupported_parameter'],
    ['an account', { account_id: 'acct_1' }, 400, 'unsupported_parameter'],
    ['another link', { invite: 'none' }, 410, 'link_expired'],
  ]
  test.each(cases)('%s', async (_, change, status, code) => {
    const invited = await ada.post('/invites', { role: 'member' })
    const invite = secretOf(((await invited.json()) as { url: string }).url)
    const before = await accountsOf(ada)
    const response = await postPanel(service, '/sign-up', { ...person, invite, ...change })
    expect(await codeOf(response)).toEqual([status, code])
    expect(await accountsOf(ada)).toEqual(before)
  })
})

describe('an invitation', () => {
  const bodyOf = async (response: Response) =>
    (await response.json()) as { id: string; url: string }

  test('creates one account with its role, for its address only', async () => {
    const email = 'grace@example.com'
    const { url } = await bodyOf(await ada.post('/invites', { email, role: 'admin' }))
    const invite = secretOf(url)
    const person = {
      email: 'eve@example.com',
      password: 'long enough',
      name: '\u05d2\u05e8\u05d9\u05d9\u05e1 👩‍🚀',
    }
    const wrong = await postPanel(service, '/sign-up', { ...person, invite })
    expect(await codeOf(wrong)).toEqual([400, 'invalid_value'])
    const response = await postPanel(service, '/sign-up', { ...person, email, invite })
    expect((await response.json()) as Me).toMatchObject({
      user: { email, name: person.name, role: 'admin' },
      account: { name: person.name },
    })
    const again = await postPanel(service, '/sign-up', {
      ...person,
      email: 'b@example.com',
      invite,
    })
    expect(await codeOf(again)).toEqual([410, 'link_expired'])
  })

  test('does not work after its revocation, and a sign-up without one is refused', async () => {
    const { id, url } = await bodyOf(await ada.post('/invites', { role: 'member' }))
    expect((await ada.post(`/invites/${id}/revoke`)).status).toBe(200)
    expect(await codeOf(await ada.post(`/invites/${id}/revoke`))).toEqual([404, 'not_found'])
    const person = { email: 'eve@example.com', password: 'long enough', name: 'Eve' }
    const revoked = await postPanel(service, '/sign-up', { ...person, invite: secretOf(url) })
    expect(await codeOf(revoked)).toEqual([410, 'link_expired'])
    expect(await codeOf(await postPanel(service, '/sign-up', person))).toEqual([
      403,
      'sign_up_closed',
    ])
  })
})

test('a password link works once, voids earlier links, and ends all sessions', async () => {
  const dora = await addUser(service, { email: 'dora@example.com', name: 'Dora' })
  const path = `/accounts/${dora.me.account.id}/reset-password`
  const links = [await ada.post(path), await ada.post(path)]
  const [first, second] = await Promise.all(
    links.map(async (response) => secretOf(((await response.json()) as { url: string }).url)),
  )
  const password = 'another password'
  const voided = await postPanel(service, '/reset-password', { secret: first, password })
  expect(await codeOf(voided)).toEqual([410, 'link_expired'])
  const short = await postPanel(service, '/reset-password', { secret: second, password: 'short' })
  expect(await codeOf(short)).toEqual([400, 'invalid_value'])
  expect((await dora.get('/me')).status).toBe(200)
  const asked = await postPanel(service, '/reset-password/account', { secret: second })
  expect(await asked.json()).toEqual({ email: 'dora@example.com', name: 'Dora' })
  const used = await postPanel(service, '/reset-password', { secret: second, password })
  expect([used.status, await used.json()]).toEqual([200, { signed_in: true }])
  expect((await dora.get('/me')).status).toBe(401)
  const headers = { cookie: cookiesOf(used) }
  expect((await fetch(`${service.url}/panel/api/me`, { headers })).status).toBe(200)
  const gone = await postPanel(service, '/reset-password/account', { secret: second })
  expect(await codeOf(gone)).toEqual([410, 'link_expired'])
  const again = await postPanel(service, '/reset-password', { secret: second, password })
  expect(await codeOf(again)).toEqual([410, 'link_expired'])
  await signIn(service, { email: 'dora@example.com', password })
})

describe('a disabled account', () => {
  test('loses its sessions and keys at once, and gets its keys back when it is enabled (T9)', async () => {
    const engine = scriptedEngine({ gate: new ReplyGate().gate })
    const own = await startTestService({ engine })
    try {
      const owner = await setUp(own)
      const other = await addUser(own, { email: 'second@example.com', name: 'S', role: 'admin' })
      const response = await own.post({ ...question, stream: true })
      expect(response.status).toBe(200)
      const running = readStream(response)
      const path = `/accounts/${owner.me.account.id}`
      const disabled = await other.post(path, { disabled: true })
      expect(await disabled.json()).toMatchObject({ disabled: true })
      expect((await owner.get('/me')).status).toBe(401)
      expect((await own.request('/v1/key')).status).toBe(401)
      const { done, text, events } = await running
      expect([done, text, events.at(-1)?.error?.code]).toEqual([false, 'You ', 'invalid_api_key'])
      const { email, password } = admin
      const refused = await postPanel(own, '/auth/sign-in/email', { email, password })
      expect(await codeOf(refused)).toEqual([403, 'account_disabled'])
      await other.post(path, { disabled: false })
      expect((await own.request('/v1/key')).status).toBe(200)
      await signIn(own)
    } finally {
      await own.close()
    }
  })

  test('cannot be that of the last administrator', async () => {
    const own = await startTestService()
    try {
      const owner = await setUp(own)
      const path = `/accounts/${owner.me.account.id}`
      for (const change of [{ disabled: true }, { role: 'member' }])
        expect(await codeOf(await owner.post(path, change))).toEqual([400, 'invalid_value'])
      expect((await owner.get('/accounts')).status).toBe(200)
    } finally {
      await own.close()
    }
  })
})

test('no password, link or cookie is in the log or readable in the database (T32, T44)', async () => {
  await signIn(service)
  const log = lines.join('\n')
  expect(log).toContain('/panel/api/auth/sign-in/email')
  const secrets = [
    admin.password,
    'password of Bob',
    secretOf(service.setUpUrl),
    ada.cookie.slice(22, 50),
  ]
  for (const secret of secrets) expect(log).not.toContain(secret)
  withRows(service, (db) => {
    const links = JSON.stringify(db.prepare('select * from one_time_links').all())
    const passwords = JSON.stringify(db.prepare('select * from credentials').all())
    const sessions = JSON.stringify(db.prepare('select * from sessions').all())
    expect(links + passwords).not.toContain(secretOf(service.setUpUrl))
    expect(passwords).not.toContain(admin.password)
    expect(sessions).not.toContain(ada.cookie.slice(22, 50))
  })
})
