import BetterSqlite3 from 'better-sqlite3'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import { attemptsOfNetworkFree } from '../../../src/people/attempts/attempt-limits.ts'
import type { Me } from '../../../src/protocol/panel-session.ts'
import { codeOf } from '../../support/error-of.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { client, followRedirects, startIssuer } from '../../support/panel/oidc-issuer.ts'
import { ageSessions } from '../../support/panel/passkeys.ts'
import { admin, cookiesOf, postPanel, setUp } from '../../support/panel/panel.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, readStream, startTestService, type TestService } from '../../support/service.ts'
import { recordFinding } from '../../support/reliability.ts'

const grace = { sub: 'g-1', email: 'grace@example.com', email_verified: true, name: 'Grace' }

let issuer: Awaited<ReturnType<typeof startIssuer>>
let service: TestService
beforeEach(async () => {
  issuer = await startIssuer()
  issuer.send(grace)
})
afterEach(async () => {
  await service.close()
  await issuer.close()
})

async function start(
  signUp: 'closed' | 'invite' | 'open',
  { open = true, engine }: { open?: boolean; engine?: Engine } = {},
) {
  service = await startTestService({
    ...(engine !== undefined && { engine }),
    environment: {
      PIPIT_SIGN_UP: signUp,
      PIPIT_OIDC_ISSUER: issuer.url,
      PIPIT_OIDC_CLIENT_ID: client.id,
      PIPIT_OIDC_CLIENT_SECRET: client.secret,
      PIPIT_OIDC_NAME: 'The Issuer',
    },
  })
  if (open) openIssuer()
}

function openIssuer(): void {
  issuer.open(`${service.url}/panel/api/auth/callback/oidc`)
}

/** @param cookie of a session that the browser has before */
async function signInByIssuer(cookie = '') {
  const response = await postPanel(service, '/auth/sign-in/oauth2', {}, { cookie })
  const { url } = (await response.json()) as { url: string }
  const end = await followRedirects(url, service.url, `${cookie}; ${cookiesOf(response)}`)
  const me = await fetch(`${service.url}/panel/api/me`, { headers: { cookie: end.cookie } })
  return { ...end, status: me.status, me: (await me.json()) as Me }
}

test('a first sign-in with OIDC creates an account, and the next one returns to it', async () => {
  await start('open')
  await setUp(service)
  const first = await signInByIssuer()
  expect([first.url.pathname, first.url.search]).toEqual(['/', ''])
  expect(first.me).toMatchObject({
    user: { email: grace.email, name: 'Grace', role: 'member' },
    account: { name: 'Grace' },
  })
  const again = await signInByIssuer()
  expect(again.me).toEqual(first.me)
  const state = await fetch(`${service.url}/panel/api/setup`)
  expect(await state.json()).toMatchObject({ oidc: { name: 'The Issuer' } })
})

test('a sign-in with OIDC ends what the earlier session of the browser was running', async () => {
  await start('open', { engine: scriptedEngine({ gate: new ReplyGate().gate }) })
  const ada = await setUp(service)
  const response = await ada.post('/chat/completions', { ...question, stream: true })
  const running = readStream(response)
  expect((await signInByIssuer(ada.cookie)).me.user.email).toBe(grace.email)
  expect((await running).done).toBe(false)
})

test('OIDC cannot create the first user', async () => {
  await start('open')
  const { url, status } = await signInByIssuer()
  expect([status, url.pathname, url.searchParams.get('error')]).toEqual([
    401,
    '/sign-in',
    'sign_up_closed',
  ])
})

test('a user without a password adds a passkey only in a session from the last day', async ({
  skip,
}) => {
  await start('open')
  skip(service.databaseUrl !== undefined, 'changes the file of SQLite')
  await setUp(service)
  const { cookie, me } = await signInByIssuer()
  const ask = () =>
    postPanel(service, '/auth/passkey/generate-register-options', { password: '' }, { cookie })
  expect((await ask()).status).toBe(200)
  ageSessions(service, { me })
  expect(await codeOf(await ask())).toEqual([401, 'invalid_credentials'])
  expect((await fetch(`${service.url}/panel/api/me`, { headers: { cookie } })).status).toBe(200)
})

test('a user without a password learns that from whatever asks for one, and no try counts as an attempt', async () => {
  await start('open')
  const ada = await setUp(service)
  expect(ada.me.user.has_password).toBe(true)
  const { cookie, me } = await signInByIssuer()
  expect(me.user.has_password).toBe(false)
  const passwords = { currentPassword: 'a guess of mine', newPassword: 'a new password' }
  for (let i = 0; i < 10; i++)
    for (const [path, body] of [
      ['change-password', passwords],
      ['two-factor/enable', { password: 'a guess of mine' }],
    ] as const) {
      const refused = await postPanel(service, `/auth/${path}`, body, { cookie })
      expect([refused.status, await refused.json()]).toMatchObject([
        401,
        {
          error: { code: 'invalid_credentials', message: expect.stringMatching(/^You have no p/) },
        },
      ])
    }
})

test('an invitation gives its role also where anyone may sign up', async () => {
  await start('open')
  const ada = await setUp(service)
  await ada.post('/invites', { email: grace.email, role: 'admin' })
  const { me } = await signInByIssuer()
  expect(me.user).toMatchObject({ email: grace.email, role: 'admin' })
})

test('another invitation for an address replaces the earlier one, also where it has another role', async () => {
  await start('invite')
  const ada = await setUp(service)
  const invite = async (email: string, role: string) =>
    (await (await ada.post('/invites', { email, role })).json()) as { url: string }
  await invite('other@example.com', 'admin')
  const { url } = await invite(grace.email, 'admin')
  await invite(` ${grace.email.toUpperCase()}`, 'member')
  const { me } = await signInByIssuer()
  expect(me.user).toMatchObject({ email: grace.email, role: 'member' })
  const person = { email: grace.email, password: 'long enough', name: 'Grace' }
  const replaced = await postPanel(service, '/sign-up', { ...person, invite: url.split('#')[1] })
  expect(await codeOf(replaced)).toEqual([410, 'link_expired'])
  const left = (await (await ada.get('/invites')).json()) as { data: { email: string }[] }
  expect(left.data.map(({ email }) => email)).toEqual(['other@example.com'])
})

test('a service with invitations refuses a new OIDC identity unless an invitation names its address', async () => {
  await start('invite')
  const ada = await setUp(service)
  const refused = await signInByIssuer()
  expect([refused.status, refused.url.searchParams.get('error')]).toEqual([401, 'sign_up_closed'])
  await ada.post('/invites', { email: grace.email, role: 'admin' })
  const { me } = await signInByIssuer()
  expect(me.user).toMatchObject({ email: grace.email, role: 'admin' })
  const invites = (await (await ada.get('/invites')).json()) as { data: unknown[] }
  expect(invites.data).toEqual([])
})

test.each(['invite', 'open'] as const)(
  'an e-mail address that the issuer has not verified gets no account: sign-up %s (T57)',
  async (signUp) => {
    await start(signUp)
    const ada = await setUp(service)
    if (signUp === 'invite') await ada.post('/invites', { email: grace.email, role: 'admin' })
    for (const email_verified of [false, undefined, 'false', 'no', '']) {
      issuer.send({ ...grace, email_verified })
      const refused = await signInByIssuer()
      expect([refused.status, refused.url.searchParams.get('error')]).toEqual([
        401,
        'email_unverified',
      ])
    }
    issuer.send(grace)
    const { me } = await signInByIssuer()
    expect(me.user).toMatchObject({ email: grace.email })
    recordFinding('T57', `Sign-up ${signUp}: 5 of 5 sign-ins with an unverified address got 401.`)
  },
)

test('an issuer may write that it has verified an e-mail address as a text', async () => {
  await start('open')
  await setUp(service)
  issuer.send({ ...grace, email_verified: 'true' })
  expect((await signInByIssuer()).me.user.email).toBe(grace.email)
  expect((await signInByIssuer()).status).toBe(200)
})

test('a callback that is opened again or too late leads back to the sign-in page', async () => {
  await start('open')
  await setUp(service)
  const { visited } = await signInByIssuer()
  const callback = visited.find((url) => url.includes('/callback/oidc'))
  for (const url of [callback, callback?.replace(/state=[^&]*/, 'state=unknown')]) {
    const response = await fetch(url ?? '', { redirect: 'manual' })
    const to = new URL(response.headers.get('location') ?? '', service.url)
    expect([response.status, to.origin, to.pathname]).toEqual([303, service.url, '/sign-in'])
    expect(to.searchParams.get('error')).toMatch(/^state_/)
  }
})

test('a first sign-in that fails halfway leaves no user, and the invite for the next attempt', async ({
  skip,
}) => {
  await start('invite')
  skip(service.databaseUrl !== undefined, 'changes the file of SQLite')
  const ada = await setUp(service)
  await ada.post('/invites', { email: grace.email, role: 'admin' })
  const db = new BetterSqlite3(join(service.dataDir, 'pipit.db'))
  db.exec(`create trigger refuse before insert on credentials when new.provider_id = 'oidc'
    begin select raise(abort, 'refused'); end`)
  expect((await signInByIssuer()).url.pathname).toBe('/sign-in')
  const count = (table: string) => db.prepare(`select count(*) from ${table}`).pluck().get()
  expect([count('users'), count('accounts'), count('one_time_links')]).toEqual([1, 1, 1])
  db.exec('drop trigger refuse')
  db.close()
  expect((await signInByIssuer()).me.user).toMatchObject({ email: grace.email, role: 'admin' })
})

test('a closed service refuses a new OIDC identity', async () => {
  await start('closed')
  await setUp(service)
  const { url, status } = await signInByIssuer()
  expect([status, url.pathname, url.searchParams.get('error')]).toEqual([
    401,
    '/sign-in',
    'sign_up_closed',
  ])
})

test.each([true, false])(
  'an OIDC identity is not linked to a password account by its e-mail address (verified: %s)',
  async (verified) => {
    await start('open')
    await setUp(service)
    issuer.send({ ...grace, email: admin.email, email_verified: verified })
    const { url, status } = await signInByIssuer()
    expect([status, url.searchParams.get('error')]).toEqual([401, 'account_not_linked'])
  },
)

test('a sign-in with OIDC that does not succeed counts as an attempt of its network', async () => {
  await start('open')
  await setUp(service)
  const begin = async () => (await postPanel(service, '/auth/sign-in/oauth2')).status
  // The set-up was the first attempt.
  for (let i = 2; i < attemptsOfNetworkFree; i++) expect(await begin()).toBe(200)
  expect((await signInByIssuer()).status).toBe(200)
  expect([await begin(), await begin()]).toEqual([200, 429])
})

test.each([503, 200])(
  'a sign-in gets 503 while the issuer answers %i without its configuration, and the next one tries it again',
  async (status) => {
    await start('open', { open: false })
    issuer.answerBefore(status)
    await setUp(service)
    const response = await postPanel(service, '/auth/sign-in/oauth2')
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { error: { code: 'oidc_unavailable' } },
    ])
    openIssuer()
    expect((await signInByIssuer()).status).toBe(200)
  },
)
