import BetterSqlite3 from 'better-sqlite3'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attemptsOfNetworkFree } from '../../../src/people/attempts/attempt-limits.ts'
import type { AuditList } from '../../../src/protocol/panel/audit.ts'
import { codeOf } from '../../support/error-of.ts'
import {
  addUser,
  admin,
  cookiesOf,
  postPanel,
  setUp,
  type Signed,
} from '../../support/panel/panel.ts'
import { ageSessions, Authenticator } from '../../support/panel/passkeys.ts'
import { runCli } from '../../support/process.ts'
import { startTestService, type TestService } from '../../support/service.ts'

test('challenges for passkeys, which are stored, need a proof of work after some from one network (T10, T14)', async () => {
  const service = await startTestService()
  try {
    const path = '/panel/api/auth/passkey/generate-authenticate-options'
    const statuses: number[] = []
    for (let i = 0; i < attemptsOfNetworkFree + 10; i++) {
      const response = await fetch(`${service.url}${path}`)
      statuses.push(response.status)
      await response.body?.cancel()
      if (response.status === 429) expect(response.headers.get('pipit-challenge')).not.toBeNull()
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(attemptsOfNetworkFree)
    const db = new BetterSqlite3(join(service.dataDir, 'pipit.db'), { readonly: true })
    const stored = db.prepare('select count(*) from verifications').pluck().get()
    db.close()
    expect(stored).toBe(attemptsOfNetworkFree)
  } finally {
    await service.close()
  }
})

describe('a passkey', () => {
  let service: TestService
  let ada: Signed
  beforeAll(async () => {
    service = await startTestService()
    ada = await setUp(service)
  })
  afterAll(() => service.close())

  /** Adds a user with a passkey. */
  async function addPasskeyUser(name: string) {
    const email = `${name.toLowerCase()}@example.com`
    const password = `password of ${name}`
    const user = await addUser(service, { email, name })
    const authenticator = new Authenticator(service)
    const added = await authenticator.add(user, password)
    expect(added.status).toBe(200)
    return { user, email, password, authenticator, id: ((await added.json()) as { id: string }).id }
  }

  test('signs in until it is removed, and only its owner can remove it', async () => {
    const { user, authenticator, id } = await addPasskeyUser('Bob')
    expect((await authenticator.signIn()).status).toBe(200)
    const remove = (by: Signed) => by.post('/auth/passkey/delete-passkey', { id })
    expect(await codeOf(await remove(ada))).toEqual([404, 'not_found'])
    expect((await authenticator.signIn()).status).toBe(200)
    expect((await remove(user)).status).toBe(200)
    expect((await authenticator.signIn()).status).toBe(401)
    const { data } = (await (await ada.get('/audit?limit=2')).json()) as AuditList
    expect(data.map(({ actor, action, after, before }) => [actor, action, before, after])).toEqual([
      ['bob@example.com', 'user.delete_passkey', { passkey: 'laptop' }, null],
      ['bob@example.com', 'user.add_passkey', null, { passkey: 'laptop' }],
    ])
  })

  test('needs the password of the user to be added', async () => {
    const added = await new Authenticator(service).add(ada, 'not my password')
    expect(await codeOf(added)).toEqual([401, 'invalid_credentials'])
    expect((await new Authenticator(service).add(ada, admin.password)).status).toBe(200)
  })

  test('is added with the password in an old session, too', async () => {
    const user = await addUser(service, { email: 'fay@example.com', name: 'Fay' })
    ageSessions(service, user)
    expect((await new Authenticator(service).add(user, 'password of Fay')).status).toBe(200)
  })

  test('neither is added nor signs in without a check of its user: it replaces password and code', async () => {
    const unverified = await new Authenticator(service).add(ada, admin.password, {
      userVerified: false,
    })
    expect(unverified.status).toBe(400)
    const authenticator = new Authenticator(service)
    expect((await authenticator.add(ada, admin.password)).status).toBe(200)
    expect((await authenticator.signIn({ userVerified: false })).status).toBe(401)
    expect((await authenticator.signIn()).status).toBe(200)
    const asked = await fetch(`${service.url}/panel/api/auth/passkey/generate-authenticate-options`)
    expect(await asked.json()).toMatchObject({ userVerification: 'required' })
    const wanted = await ada.post('/auth/passkey/generate-register-options', {
      password: admin.password,
    })
    expect(await wanted.json()).toMatchObject({
      authenticatorSelection: { userVerification: 'required', residentKey: 'required' },
    })
  })

  test('needs a well-formed response of the authenticator', async () => {
    const path = '/auth/passkey/verify-authentication'
    for (const id of [undefined, 1, { id: 'a' }, 'a'.repeat(1365)]) {
      const refused = await postPanel(service, path, { response: { id } })
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { error: { type: 'invalid_request_error' } },
      ])
    }
    const asked = await ada.post('/auth/passkey/generate-register-options', {
      password: admin.password,
    })
    const response = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} }
    const added = await ada.post(
      '/auth/passkey/verify-registration',
      { name: 'laptop', response },
      { cookie: `${ada.cookie}; ${cookiesOf(asked)}` },
    )
    expect(await codeOf(added)).toEqual([400, 'invalid_value'])
  })

  test('that is removed while it signs in gives no session', async () => {
    const { user, authenticator } = await addPasskeyUser('Eve')
    // Removes the passkey between its check and the creation of the session.
    const db = new BetterSqlite3(join(service.dataDir, 'pipit.db'))
    db.exec(`create trigger remove_used after update of counter on passkeys
      begin delete from passkeys where id = new.id; end`)
    const sessions = () =>
      db.prepare('select count(*) from sessions where user_id = ?').pluck().get(user.me.user.id)
    const before = sessions()
    const refused = await authenticator.signIn()
    db.exec('drop trigger remove_used')
    expect([refused.status, sessions()]).toEqual([401, before])
    db.close()
  })

  test('ends with a reset of the password', async () => {
    const { user, authenticator } = await addPasskeyUser('Carol')
    const link = await ada.post(`/accounts/${user.me.account.id}/reset-password`)
    expect((await authenticator.signIn()).status).toBe(200)
    const secret = ((await link.json()) as { url: string }).url.split('#')[1] ?? ''
    await postPanel(service, '/reset-password', { secret, password: 'a new password' })
    expect((await authenticator.signIn()).status).toBe(401)
  })

  test('ends when an admin removes the two-factor sign-in of its owner', async () => {
    const { email, authenticator } = await addPasskeyUser('Dave')
    const command = ['accounts', 'reset-password', email, '--remove-two-factor']
    expect((await runCli(command, service.environment)).code).toBe(0)
    expect((await authenticator.signIn()).status).toBe(401)
  })
})
