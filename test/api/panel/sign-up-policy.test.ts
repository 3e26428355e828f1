import { afterEach, expect, test } from 'vitest'
import { addUser, postPanel, signIn } from '../../support/panel/panel.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
afterEach(() => service.close())

const secretOf = (url: string) => new URL(url).hash.slice(1)
const person = { email: 'eve@example.com', password: 'long enough', name: 'Eve' }

test('an admin turns invites on and off, and a link does not work while they are off', async () => {
  service = await startTestService()
  const ada = await signIn(service)
  const list = async () => await (await ada.get('/invites')).json()
  expect(await list()).toEqual({ data: [], sign_up: 'closed', can_change: true })
  expect((await ada.post('/invites', { role: 'member' })).status).toBe(403)
  const on = await ada.post('/invites/allowed', { allowed: true })
  expect(await on.json()).toEqual({ data: [], sign_up: 'invite', can_change: true })
  const { url } = (await (await ada.post('/invites', { role: 'member' })).json()) as { url: string }
  await ada.post('/invites/allowed', { allowed: false })
  expect(await list()).toMatchObject({ data: [{ role: 'member' }], sign_up: 'closed' })
  const invite = secretOf(url)
  expect((await postPanel(service, '/sign-up', { ...person, invite })).status).toBe(403)
  await ada.post('/invites/allowed', { allowed: true })
  const offer = await postPanel(service, '/sign-up/invite', { secret: invite })
  expect(await offer.json()).toEqual({ email: null, role: 'member' })
  const eve = await postPanel(service, '/sign-up', { ...person, invite })
  expect(eve.status).toBe(200)
  expect((await postPanel(service, '/sign-up/invite', { secret: invite })).status).toBe(410)
  const { data: audit } = (await (await ada.get('/audit')).json()) as { data: object[] }
  expect(audit).toContainEqual(
    expect.objectContaining({ action: 'invites.allow', after: { allowed: false } }),
  )
})

test('a member cannot turn invites on, and where PIPIT_SIGN_UP decides, no admin can', async () => {
  service = await startTestService({ environment: { PIPIT_SIGN_UP: 'open' } })
  const ada = await signIn(service)
  const refused = await ada.post('/invites/allowed', { allowed: false })
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { code: 'invalid_value', param: 'allowed' } },
  ])
  expect(await (await ada.get('/invites')).json()).toMatchObject({
    sign_up: 'open',
    can_change: false,
  })
  const eve = await addUser(service, { email: person.email, name: person.name })
  expect((await eve.post('/invites/allowed', { allowed: true })).status).toBe(403)
})

test('a link to a new password creates no account, and an invite sets no password (T7)', async () => {
  service = await startTestService({ environment: { PIPIT_SIGN_UP: 'invite' } })
  const ada = await signIn(service)
  const linkOf = async (path: string, body: object) =>
    secretOf(((await (await ada.post(path, body)).json()) as { url: string }).url)
  const reset = await linkOf(`/accounts/${ada.me.account.id}/reset-password`, {})
  const invite = await linkOf('/invites', { role: 'admin' })
  const { password } = person
  for (const [path, body] of [
    ['/sign-up', { ...person, invite: reset }],
    ['/sign-up/invite', { secret: reset }],
    ['/setup', { ...person, secret: invite }],
    ['/reset-password', { secret: invite, password }],
    ['/reset-password/account', { secret: invite }],
  ] as const)
    expect([path, (await postPanel(service, path, body)).status]).toEqual([path, 410])
})
