import { afterEach, beforeEach, expect, test } from 'vitest'
import { solveChallenge } from '../../../panel/src/proof-of-work.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { addUser, admin, cookiesOf, postPanel, setUp } from '../../support/panel/panel.ts'
import { totp } from '../../support/panel/totp.ts'
import { codeOf } from '../../support/error-of.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { recordFinding } from '../../support/reliability.ts'

const tries = 15
/** Time for dozens of password hashes on a busy machine. */
const busyMs = 240_000

let service: TestService
beforeEach(async () => {
  service = await startTestService({ environment: { PIPIT_TRUSTED_PROXIES: '127.0.0.1' } })
  return () => service.close()
})

let stopAttack: (() => Promise<number[]>) | undefined
afterEach(() => stopAttack?.())

/** Repeats requests, two at a time, until the returned function is called. That function returns all statuses. */
function attack(attempt: (i: number) => Promise<Response>): () => Promise<number[]> {
  const statuses: number[] = []
  let running = true
  let next = 0
  const workers = Array.from({ length: 2 }, async () => {
    while (running) statuses.push((await attempt(next++)).status)
  })
  return async () => {
    running = false
    await Promise.all(workers)
    return statuses
  }
}

const signInWith = (password: string, headers: Record<string, string>) =>
  postPanel(service, '/auth/sign-in/email', { email: admin.email, password }, headers)
const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length
const addressOf = (i: number) => `203.0.${(i >> 8) & 255}.${i & 255}`

/** Signs in like the panel's page, which solves up to three challenges. Returns the last status. */
async function signInAsPage(headers: Record<string, string>): Promise<number> {
  let response = await signInWith(admin.password, headers)
  for (let solved = 0; solved < 3; solved++) {
    const challenge = response.headers.get('pipit-challenge')
    if (challenge === null) break
    const proof = await solveChallenge(challenge)
    response = await signInWith(admin.password, { ...headers, 'pipit-proof': proof })
  }
  return response.status
}

/** Returns the cookies with which a browser remembers that a user signed in. */
async function deviceCookies(cookie: string): Promise<string> {
  const me = await fetch(`${service.url}/panel/api/me`, { headers: { cookie } })
  return cookiesOf(me)
    .split('; ')
    .filter((one) => one.includes('device'))
    .join('; ')
}

test.each([
  ['one address, which the owner shares', () => '203.0.113.1', '203.0.113.1'],
  ['many addresses', addressOf, '198.51.100.1'],
])(
  'the owner signs in while passwords are guessed from %s (T10, T56, F45)',
  async (guessers, guesserAt, ownerAt) => {
    const { cookie } = await setUp(service)
    const here = { 'x-forwarded-for': ownerAt }
    const remembered = { ...here, cookie: await deviceCookies(cookie) }
    stopAttack = attack((i) => signInWith(`guess ${i}`, { 'x-forwarded-for': guesserAt(i) }))
    while ((await signInWith('guess', { 'x-forwarded-for': guesserAt(0) })).status !== 429);
    const known: number[] = []
    const unknown: number[] = []
    for (let i = 0; i < tries; i++) {
      known.push((await signInWith(admin.password, remembered)).status)
      unknown.push(await signInAsPage(here))
    }
    const guesses = await stopAttack()
    expect({ known: countOf(known, 200), unknown: countOf(unknown, 200) }).toEqual({
      known: tries,
      unknown: tries,
    })
    recordFinding(
      'T56',
      `Guesses from ${guessers}: ${guesses.length} guesses, ${countOf(guesses, 401)} of them checked; the owner signed in ${2 * tries} of ${2 * tries} times.`,
    )
    // The attack continued, and at most five guesses were checked, including those of the `while` loop above.
    expect(countOf(guesses, 429)).toBeGreaterThan(tries)
    expect(countOf(guesses, 401)).toBeLessThanOrEqual(5)
  },
  busyMs,
)

test(
  'the owner passes the second step while an attacker with the password guesses codes (T10, T56)',
  async () => {
    await setUp(service)
    const user = { email: 'bob@example.com', password: 'password of Bob' }
    const bob = await addUser(service, { email: user.email, name: 'Bob' })
    const enabled = await bob.post('/auth/two-factor/enable', { password: user.password })
    const { totpURI, backupCodes } = (await enabled.json()) as {
      totpURI: string
      backupCodes: string[]
    }
    const secret = new URL(totpURI).searchParams.get('secret') ?? ''
    const verified = await bob.post('/auth/two-factor/verify-totp', { code: totp(secret) })
    const device = await deviceCookies(cookiesOf(verified) || bob.cookie)
    const begin = async (cookie = '') =>
      cookiesOf(await postPanel(service, '/auth/sign-in/email', user, { cookie }))
    const verify = (path: string, code: string, cookie: string, address = '198.51.100.1') =>
      postPanel(
        service,
        `/auth/two-factor/${path}`,
        { code },
        { cookie, 'x-forwarded-for': address },
      )
    // Each guess starts a new sign-in, because better-auth ends a sign-in after five wrong codes.
    stopAttack = attack(async (i) => verify('verify-totp', '000000', await begin(), addressOf(i)))
    while ((await verify('verify-totp', '000000', await begin(), '203.0.113.1')).status !== 429);
    const known: number[] = []
    for (let i = 0; i < 5; i++) {
      await forgetUsedCodes()
      const half = await begin(device)
      known.push((await verify('verify-totp', totp(secret), `${half}; ${device}`)).status)
    }
    const [backupCode = ''] = backupCodes
    const byBackupCode = await verify('verify-backup-code', backupCode, await begin())
    const guesses = await stopAttack()
    expect([known, byBackupCode.status]).toEqual([[200, 200, 200, 200, 200], 200])
    expect(countOf(guesses, 429)).toBeGreaterThan(1)
    // After five guesses the waits double, so a few more guesses are checked in a test of some minutes.
    expect(countOf(guesses, 401)).toBeLessThan(14)
  },
  busyMs,
)

test('two pending sign-ins in one request cannot hide the account that a code is tried for (T10)', async () => {
  await setUp(service)
  const pending = [await pendingSignIn('Bob'), await pendingSignIn('Eve')]
  const verify = async (cookie: string) =>
    await codeOf(
      await postPanel(service, '/auth/two-factor/verify-totp', { code: '1' }, { cookie }),
    )
  for (const cookie of pending) expect(await verify(cookie)).toEqual([401, 'invalid_code'])
  for (const cookies of [pending, pending.toReversed()])
    expect(await verify(cookies.join('; '))).toEqual([401, 'session_required'])
})

/** Lets the owner sign in several times within the half minute of one code. */
async function forgetUsedCodes(): Promise<void> {
  const database = await openDatabase(service.dataDir)
  await database.write([{ sql: 'delete from two_factor_steps', parameters: [] }])
  await database.close()
}

/** Adds a user with a second factor. Returns the cookie of a sign-in with the right password and no code yet. */
async function pendingSignIn(name: string): Promise<string> {
  const user = { email: `${name.toLowerCase()}@example.com`, password: `password of ${name}` }
  const added = await addUser(service, { email: user.email, name })
  const enabled = await added.post('/auth/two-factor/enable', { password: user.password })
  const { totpURI } = (await enabled.json()) as { totpURI: string }
  const code = totp(new URL(totpURI).searchParams.get('secret') ?? '')
  expect((await added.post('/auth/two-factor/verify-totp', { code })).status).toBe(200)
  return cookiesOf(await postPanel(service, '/auth/sign-in/email', user))
}
