import { beforeEach, expect, test, vi } from 'vitest'
import { findLink } from '../../src/people/one-time-links.ts'
import { createResetLink, PanelAccounts } from '../../src/people/panel-accounts.ts'
import { dropExpired, PanelAuth } from '../../src/people/panel-auth.ts'
import { PanelSessions } from '../../src/people/panel-sessions.ts'
import { SignUpPolicy } from '../../src/people/sign-up/sign-up-policy.ts'
import { createUser, resetPassword } from '../../src/people/users.ts'
import { serviceActor } from '../../src/storage/audit/audit-log.ts'
import type { Database } from '../../src/storage/database.ts'
import { queries, toStatement } from '../../src/storage/statement.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { useDatabases } from '../support/databases.ts'

const url = 'http://127.0.0.1:1'
const email = 'ada@example.com'
const oldPassword = 'the old password'

const databases = useDatabases()
let database: Database
let panelAuth: PanelAuth
beforeEach(async () => {
  database = await databases.open({ serve: true })
  panelAuth = createPanelAuth()
  return () => panelAuth.close()
})

function createPanelAuth(): PanelAuth {
  const now = Date.now
  return new PanelAuth({
    database,
    secret: 'a secret of the tests, long enough for it',
    logger: silentLogger,
    now,
    url: () => url,
    signUpPolicy: new SignUpPolicy({ database, now, fixed: 'closed' }),
    oidc: undefined,
  })
}

async function createAda(): Promise<string> {
  const passwordHash = await panelAuth.hashPassword(oldPassword)
  const wanted = { email, name: 'Ada', role: 'admin', passwordHash } as const
  return (await createUser(database, wanted, Date.now())).id
}

/** Sends a request to better-auth as the panel does, with the cookies of an earlier response. */
const ask = (path: string, body: object, earlier?: Response, auth = panelAuth) =>
  auth.handle(path, {
    method: 'POST',
    headers: new Headers({
      'content-type': 'application/json',
      cookie: (earlier?.headers.getSetCookie() ?? []).map((one) => one.split(';', 1)[0]).join('; '),
    }),
    address: '127.0.0.1',
    body: JSON.stringify(body),
  })

/** Returns a function that sets another password by a link, with everything but the write done ahead. */
async function prepareReset(userId: string): Promise<() => Promise<void>> {
  const { url: to } = await createResetLink(database, userId, url, Date.now())
  const secret = to.split('#')[1] ?? ''
  const link = await findLink(database, 'reset-password', secret, Date.now())
  if (link === undefined) throw new Error('no link')
  const hash = await panelAuth.hashPassword('the new password')
  return () => resetPassword(database, link, hash, Date.now())
}

/** Runs `first` before the next statement that begins like this. */
function before(begin: RegExp, first: () => Promise<void>): void {
  const write = database.writeReturning.bind(database)
  let isDone = false
  vi.spyOn(database, 'writeReturning').mockImplementation(async (statement, ...others) => {
    if (!isDone && begin.test(statement.sql)) {
      isDone = true
      await first()
    }
    return await write(statement, ...others)
  })
}

const countOf = async (table: 'sessions' | 'verifications') =>
  (await database.read(queries.selectFrom(table).select('id'))).length

test('a sign-in with the old password gets no session if the password is reset meanwhile', async () => {
  const reset = await prepareReset(await createAda())
  before(/^insert into "sessions"/, reset)
  const response = await ask('/sign-in/email', { email, password: oldPassword })
  expect([response.status, response.headers.getSetCookie()]).toEqual([401, []])
  expect(await countOf('sessions')).toBe(0)
})

test.each([/^update "credentials"/, /^insert into "sessions"/])(
  'a change of the old password gets no session if the password is reset before %s',
  async (begin) => {
    const reset = await prepareReset(await createAda())
    const signedIn = await ask('/sign-in/email', { email, password: oldPassword })
    expect(signedIn.status).toBe(200)
    before(begin, reset)
    const change = { currentPassword: oldPassword, newPassword: 'another password' }
    const response = await ask(
      '/change-password',
      { ...change, revokeOtherSessions: true },
      signedIn,
    )
    expect(response.status).toBe(401)
    expect(await countOf('sessions')).toBe(0)
    const withNew = await ask('/sign-in/email', { email, password: 'the new password' })
    expect(withNew.status).toBe(200)
  },
)

test('of two changes of the same password at once, the second one changes nothing', async () => {
  await createAda()
  const signIn = (password: string) => ask('/sign-in/email', { email, password })
  const [own, other] = [await signIn(oldPassword), await signIn(oldPassword)]
  const change = (newPassword: string, session: Response, auth: PanelAuth) => {
    const body = { currentPassword: oldPassword, newPassword, revokeOtherSessions: true }
    return ask('/change-password', body, session, auth)
  }
  // better-auth runs one query at a time, so the first change needs an instance of its own.
  const replica = createPanelAuth()
  try {
    before(/^update "credentials"/, async () => {
      expect((await change('the new password', own, replica)).status).toBe(200)
    })
    expect((await change(oldPassword, other, panelAuth)).status).toBe(401)
  } finally {
    replica.close()
  }
  expect(await countOf('sessions')).toBe(1)
  expect((await signIn(oldPassword)).status).toBe(401)
  expect((await signIn('the new password')).status).toBe(200)
})

test('a change of the password ends the other sessions and keeps the own one', async () => {
  await createAda()
  const signedIn = await ask('/sign-in/email', { email, password: oldPassword })
  await ask('/sign-in/email', { email, password: oldPassword })
  const change = { currentPassword: oldPassword, newPassword: 'another password' }
  const response = await ask('/change-password', { ...change, revokeOtherSessions: true }, signedIn)
  expect(response.status).toBe(200)
  expect(await countOf('sessions')).toBe(1)
})

test('a sign-in that waits for a two-factor code ends when the password is reset', async () => {
  const id = await createAda()
  const reset = await prepareReset(id)
  const at = new Date(Date.now() + 60_000).toISOString()
  const row = { identifier: 'a digest', expires_at: at, created_at: at, updated_at: at }
  const insert = queries.insertInto('verifications').values([
    { ...row, id: 'v_1', value: id },
    { ...row, id: 'v_2', value: 'user_other' },
  ])
  await database.write([toStatement(insert)])
  await reset()
  expect(await countOf('verifications')).toBe(1)
})

test('a session that ends between its look-up and its first use is noticed', async () => {
  const sessions = new PanelSessions(database, Date.now)
  try {
    const { rechecks } = sessions
    // A sign-out that commits now finds no signal to abort.
    sessions.recheck()
    const ended = sessions.follow('a session that has ended', Date.now() + 60_000, rechecks)
    await expect.poll(() => ended.aborted).toBe(true)
  } finally {
    sessions.close()
  }
})

/** Adds sessions of a user that began one second after the other, the last of them a minute ago. */
async function addSessions(userId: string, count: number): Promise<void> {
  const at = (ms: number) => new Date(ms).toISOString()
  const beganMs = Date.now() - 60_000 - 1000 * count
  const values = Array.from({ length: count }, (_, i) => ({
    id: `s_${i}`,
    user_id: userId,
    token: `digest ${i}`,
    expires_at: at(Date.now() + 3_600_000),
    created_at: at(beganMs + 1000 * i),
    updated_at: at(beganMs + 1000 * i),
  }))
  await database.write([toStatement(queries.insertInto('sessions').values(values))])
}

test('only sessions that are followed are read, with one check at a time', async () => {
  await addSessions(await createAda(), 3)
  const sessions = new PanelSessions(database, Date.now)
  try {
    const kept = sessions.follow('s_0', Date.now() + 60_000, 0)
    const ended = sessions.follow('s_1', Date.now() + 60_000, 0)
    const read = vi.spyOn(database, 'read')
    for (let count = 0; count < 50; count++) sessions.recheck()
    await database.write([toStatement(queries.deleteFrom('sessions').where('id', '=', 's_1'))])
    sessions.recheck()
    await expect.poll(() => ended.aborted).toBe(true)
    expect(kept.aborted).toBe(false)
    expect(read.mock.calls.length).toBeLessThanOrEqual(3)
    const rows = await Promise.all(read.mock.results.map(({ value }) => value as Promise<object[]>))
    expect(rows.at(-1)).toEqual([{ id: 's_0' }])
  } finally {
    sessions.close()
  }
})

test('a sign-in ends the oldest sessions of a user with more than 100', async () => {
  await addSessions(await createAda(), 102)
  const response = await ask('/sign-in/email', { email, password: oldPassword })
  expect(response.status).toBe(200)
  const left = await database.read(
    queries.selectFrom('sessions').select('id').orderBy('created_at'),
  )
  expect([left.length, left[0]?.id]).toEqual([100, 's_3'])
})

test('expired verifications are deleted in small batches', async () => {
  const nowMs = Date.now()
  const at = (ms: number) => new Date(ms).toISOString()
  const values = Array.from({ length: 450 }, (_, i) => ({
    id: `v_${i}`,
    identifier: 'a digest',
    value: 'x',
    expires_at: at(i === 0 ? nowMs + 1 : nowMs),
    created_at: at(nowMs),
    updated_at: at(nowMs),
  }))
  await database.write([toStatement(queries.insertInto('verifications').values(values))])
  const write = vi.spyOn(database, 'write')
  await dropExpired(database, nowMs, new AbortController().signal)
  const deleted = await Promise.all(write.mock.results.map(({ value }) => value as Promise<number>))
  expect(deleted).toEqual([0, 200, 200, 49])
  expect(await countOf('verifications')).toBe(1)
})

test('disabling an account ends what its sessions run, also if its keys cannot be read at once', async () => {
  await createAda()
  const bob = {
    email: 'bob@example.com',
    name: 'Bob',
    role: 'admin',
    passwordHash: undefined,
  } as const
  await createUser(database, bob, Date.now())
  const signedIn = await ask('/sign-in/email', { email, password: oldPassword })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const ada = await panelAuth.checkSession({ cookie })
  const accounts = new PanelAccounts({
    database,
    now: Date.now,
    signUpPolicy: new SignUpPolicy({ database, now: Date.now, fixed: 'closed' }),
    url: () => url,
    auth: panelAuth,
    accountChanged: () => Promise.reject(new Error('the database does not answer')),
  })
  const edit = accounts.edit(ada?.accountId ?? '', { disabled: true }, serviceActor)
  await expect(edit).rejects.toThrow('does not answer')
  await expect.poll(() => ada?.ended.aborted).toBe(true)
})
