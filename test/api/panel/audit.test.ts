import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditList } from '../../../src/protocol/panel/audit.ts'
import type { IssuedPanelKey } from '../../../src/protocol/panel-keys.ts'
import { errorOf } from '../../support/error-of.ts'
import { addUser, type Signed, setUp } from '../../support/panel/panel.ts'
import { runCli } from '../../support/process.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let ada: Signed
let bob: Signed
beforeAll(async () => {
  service = await startTestService({ environment: { PIPIT_SIGN_UP: 'invite' } })
  ada = await setUp(service)
  bob = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
})
afterAll(() => service.close())

const audit = async (query = '') => (await (await ada.get(`/audit${query}`)).json()) as AuditList

test('admins see who changed keys, limits and users, in the panel and on the command line', async () => {
  const created = (await (await bob.post('/keys', { name: 'laptop' })).json()) as IssuedPanelKey
  const accountId = bob.me.account.id
  await ada.post(`/accounts/${accountId}`, { limits: { tokens_per_day: 7 }, role: 'admin' })
  await ada.post(`/accounts/${accountId}`, { role: 'member' })
  const reset = (await (await ada.post(`/accounts/${accountId}/reset-password`)).json()) as {
    url: string
  }
  const invite = (await (await ada.post('/invites', { role: 'member' })).json()) as {
    id: string
    url: string
  }
  await ada.post(`/invites/${invite.id}/revoke`)
  const { environment } = service
  expect((await runCli(['keys', 'revoke', created.record.id], environment)).code).toBe(0)

  const { data } = await audit()
  expect(data.map(({ actor, action }) => [actor, action]).slice(0, 7)).toEqual([
    ['command line', 'key.revoke'],
    [ada.me.user.email, 'invite.revoke'],
    [ada.me.user.email, 'invite.create'],
    [ada.me.user.email, 'user.create_reset_link'],
    [ada.me.user.email, 'account.edit'],
    [ada.me.user.email, 'account.edit'],
    ['bob@example.com', 'key.create'],
  ])
  expect(data[5]).toMatchObject({
    account_id: accountId,
    before: { tokens_per_day: null, role: 'member' },
    after: { tokens_per_day: 7, role: 'admin' },
  })
  expect(data.map(({ action }) => action)).toContain('user.create')
  const text = JSON.stringify(data)
  for (const secret of [created.key, ...[reset.url, invite.url].map((url) => url.split('#')[1])])
    expect(text).not.toContain(secret)
})

test('a revoked invite is in the log with its address and role, also when another one replaces it', async () => {
  const email = 'eve@example.com'
  const inviteAs = async (role: string) =>
    (await (await ada.post('/invites', { email, role })).json()) as { id: string }
  const replaced = await inviteAs('admin')
  const revoked = await inviteAs('member')
  await ada.post(`/invites/${revoked.id}/revoke`)
  expect((await errorOf(ada.post(`/invites/${revoked.id}/revoke`)))[0]).toBe(404)

  const { data } = await audit()
  const ofInvites = data.filter(({ action }) => action === 'invite.revoke')
  for (const [{ id }, role] of [
    [replaced, 'admin'],
    [revoked, 'member'],
  ] as const)
    expect(ofInvites.filter(({ target_id: target }) => target === id)).toMatchObject([
      { target_name: email, before: { email, role }, after: null },
    ])
})

test('the log has pages, and members do not see it', async () => {
  const first = await audit('?limit=2')
  expect([first.data.length, first.has_more]).toEqual([2, true])
  const rest = await audit(`?limit=200&after=${first.last_id}`)
  expect(rest.has_more).toBe(false)
  expect(rest.data.map(({ id }) => id)).not.toContain(first.last_id)
  expect((await errorOf(bob.get('/audit')))[0]).toBe(403)
  expect(await errorOf(ada.get('/audit?limit=201'))).toEqual([
    400,
    'integer_above_max_value',
    'limit',
  ])
})
