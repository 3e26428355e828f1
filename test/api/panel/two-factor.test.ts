import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Me } from '../../../src/protocol/panel-session.ts'
import { codeOf } from '../../support/error-of.ts'
import { addUser, cookiesOf, postPanel, setUp } from '../../support/panel/panel.ts'
import { nextTotp, totp } from '../../support/panel/totp.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let ada: Awaited<ReturnType<typeof setUp>>
beforeAll(async () => {
  service = await startTestService({ environment: { PIPIT_SIGN_UP: 'invite' } })
  ada = await setUp(service)
})
afterAll(() => service.close())

/** Adds a user who signs in with a password and a code. */
async function addTwoFactorUser(name: string) {
  const user = { email: `${name.toLowerCase()}@example.com`, password: `password of ${name}` }
  const session = await addUser(service, { email: user.email, name })
  const enabled = await session.post('/auth/two-factor/enable', { password: user.password })
  const { totpURI, backupCodes } = (await enabled.json()) as {
    totpURI: string
    backupCodes: string[]
  }
  const secret = new URL(totpURI).searchParams.get('secret') ?? ''
  const enrolmentCode = totp(secret)
  const verified = await session.post('/auth/two-factor/verify-totp', { code: enrolmentCode })
  expect(verified.status).toBe(200)
  // The verification replaces the session.
  const cookie = cookiesOf(verified)
  const post = (path: string, body: object) => postPanel(service, path, body, { cookie })
  const begin = () => postPanel(service, '/auth/sign-in/email', user)
  const accountId = session.me.account.id
  return { user, accountId, enrolmentCode, secret, backupCodes, post, begin }
}

const verify = (from: Response, path: string, code: string) =>
  postPanel(service, `/auth/two-factor/${path}`, { code }, { cookie: cookiesOf(from) })

test('two-step sign-in needs a code, and a backup code works once', async () => {
  const { accountId, secret, backupCodes, begin } = await addTwoFactorUser('Tfa')
  // Backup codes have no characters that look alike.
  expect(backupCodes).toHaveLength(10)
  for (const code of backupCodes) expect(code).toMatch(/^[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}$/)

  const half = await begin()
  expect(await half.json()).toMatchObject({ twoFactorRedirect: true })
  const me = await fetch(`${service.url}/panel/api/me`, { headers: { cookie: cookiesOf(half) } })
  expect(me.status).toBe(401)
  expect(await codeOf(await verify(half, 'verify-totp', '000000'))).toEqual([401, 'invalid_code'])
  const cookie = `theme=two_factor; ${cookiesOf(half)}; other=has_two_factor_auth; last=pipit.two_factor=1`
  const code = { code: nextTotp(secret) }
  const whole = await postPanel(service, '/auth/two-factor/verify-totp', code, { cookie })
  expect(whole.status).toBe(200)
  const signed = await fetch(`${service.url}/panel/api/me`, {
    headers: { cookie: cookiesOf(whole) },
  })
  expect(((await signed.json()) as Me).user.two_factor_enabled).toBe(true)

  const [backupCode = ''] = backupCodes
  expect((await verify(await begin(), 'verify-backup-code', backupCode)).status).toBe(200)
  expect(await codeOf(await verify(await begin(), 'verify-backup-code', backupCode))).toEqual([
    401,
    'invalid_code',
  ])

  const link = await ada.post(`/accounts/${accountId}/reset-password`)
  const { url } = (await link.json()) as { url: string }
  const body = { secret: url.split('#')[1] ?? '', password: 'a new password' }
  const reset = await postPanel(service, '/reset-password', body)
  expect([await reset.json(), reset.headers.getSetCookie()]).toEqual([{ signed_in: false }, []])
})

test('a code of the app works once, also for two sign-ins at the same moment (T61)', async () => {
  const { enrolmentCode, secret, backupCodes, begin } = await addTwoFactorUser('Once')
  const halves = await Promise.all([begin(), begin()])
  const [half] = halves
  if (half === undefined) throw new Error('no sign-in')
  const used = await verify(half, 'verify-totp', enrolmentCode)
  const message = 'This code or a later one was already used. Enter the next one.'
  expect([used.status, await used.json()]).toMatchObject([
    401,
    { error: { code: 'invalid_code', message } },
  ])
  // A wrong code leaves the next one usable.
  expect(await codeOf(await verify(half, 'verify-totp', '000000'))).toEqual([401, 'invalid_code'])

  const code = nextTotp(secret)
  const entered = await Promise.all(halves.map((each) => verify(each, 'verify-totp', code)))
  const statuses = entered.map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401])
  const refused = halves.find((_, index) => statuses[index] === 401)
  if (refused === undefined) throw new Error('no refusal')
  expect(await codeOf(await verify(refused, 'verify-totp', code))).toEqual([401, 'invalid_code'])
  // The sign-in goes on with another factor.
  const [backupCode = ''] = backupCodes
  expect((await verify(refused, 'verify-backup-code', backupCode)).status).toBe(200)
})

test('a new authenticator app starts with a code of its own', async () => {
  const { user, secret, begin } = await addTwoFactorUser('Anew')
  const signed = await verify(await begin(), 'verify-totp', nextTotp(secret))
  expect(signed.status).toBe(200)
  const { password } = user
  const disabled = await postPanel(
    service,
    '/auth/two-factor/disable',
    { password },
    { cookie: cookiesOf(signed) },
  )
  const headers = { cookie: cookiesOf(disabled) }
  const enabled = await postPanel(service, '/auth/two-factor/enable', { password }, headers)
  const { totpURI } = (await enabled.json()) as { totpURI: string }
  const code = totp(new URL(totpURI).searchParams.get('secret') ?? '')
  const verified = await postPanel(service, '/auth/two-factor/verify-totp', { code }, headers)
  expect(verified.status).toBe(200)
})

test.each(['/auth/change-password', '/auth/revoke-sessions', '/auth/two-factor/disable'])(
  'a sign-in that waits for its code ends with %s',
  async (path) => {
    const name = path.slice('/auth/'.length).replaceAll(/\W/g, '')
    const { user, secret, post, begin } = await addTwoFactorUser(name)
    const half = await begin()
    expect(await half.json()).toMatchObject({ twoFactorRedirect: true })
    const { password } = user
    const bodies = {
      '/auth/change-password': { currentPassword: password, newPassword: 'a new password' },
      '/auth/revoke-sessions': {},
      '/auth/two-factor/disable': { password },
    }
    expect((await post(path, bodies[path as keyof typeof bodies])).status).toBe(200)
    expect(await codeOf(await verify(half, 'verify-totp', nextTotp(secret)))).toEqual([
      401,
      'session_required',
    ])
  },
)

test('after five wrong codes, a backup code needs another sign-in, and the error says so', async () => {
  const { backupCodes, begin } = await addTwoFactorUser('Wrong')
  const [code = ''] = backupCodes
  const half = await begin()
  for (let i = 0; i < 5; i++)
    expect(await codeOf(await verify(half, 'verify-totp', '000000'))).toEqual([401, 'invalid_code'])
  const used = await verify(half, 'verify-backup-code', code)
  const message = 'Too many wrong codes. Sign in again with your e-mail address and password.'
  expect([used.status, await used.json()]).toMatchObject([
    401,
    { error: { code: 'session_required', message } },
  ])
  expect((await verify(await begin(), 'verify-backup-code', code)).status).toBe(200)
})

test('a browser cannot be trusted for later sign-ins, because the user could not end that', async () => {
  const { secret, begin } = await addTwoFactorUser('Trust')
  const half = await begin()
  const body = { code: totp(secret), trustDevice: true }
  const cookie = cookiesOf(half)
  const refused = await postPanel(service, '/auth/two-factor/verify-totp', body, { cookie })
  expect(await codeOf(refused)).toEqual([400, 'unsupported_parameter'])
})
