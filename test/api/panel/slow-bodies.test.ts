import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, postPanel, type Signed, setUp } from '../../support/panel/panel.ts'
import { Uploads } from '../../support/raw-http.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let ada: Signed
let uploads: Uploads
beforeAll(async () => {
  service = await startTestService({ environment: { PIPIT_SIGN_UP: 'invite' } })
  ada = await setUp(service)
  uploads = new Uploads(service.url, 'none')
})
afterAll(async () => {
  uploads.close()
  await service.close()
})

/** Sends all of a request but the end of its body. Returns a function that sends the end and reads the status. */
async function begin({ cookie }: Signed, path: string, content: object) {
  const body = Buffer.from(JSON.stringify(content))
  const upload = uploads.begin(
    {
      host: new URL(service.url).host,
      origin: service.url,
      cookie,
      'content-length': body.length,
      // Makes the service say that it has checked the session and waits for the body.
      expect: '100-continue',
    },
    `/panel/api${path}`,
  )
  expect(await upload.head()).toContain(' 100 ')
  await upload.send(body.subarray(0, 1))
  return async () => {
    await upload.send(body.subarray(1))
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(await upload.head())?.[1])
  }
}

const addAdmin = (name: string) =>
  addUser(service, { email: `${name}@example.com`, name, role: 'admin' })

async function listed<Row>({ get }: Signed, path: string): Promise<Row[]> {
  return ((await (await get(path)).json()) as { data: Row[] }).data
}

test.each([
  ['demoted', { role: 'member' }, 403],
  ['disabled', { disabled: true }, 401],
] as const)(
  'an admin who is %s while a body arrives cannot undo it (T9)',
  async (name, change, status) => {
    const rogue = await addAdmin(name)
    const path = `/accounts/${rogue.me.account.id}`
    const end = await begin(rogue, path, { role: 'admin', disabled: false })
    expect((await ada.post(path, change)).status).toBe(200)
    expect(await end()).toBe(status)
    const accounts = await listed<{ id: string }>(ada, '/accounts?limit=200')
    expect(accounts.find(({ id }) => id === rogue.me.account.id)).toMatchObject(change)
  },
)

test('an admin who is demoted while a body arrives gets no link (T9)', async () => {
  const rogue = await addAdmin('inviter')
  const ends = [
    await begin(rogue, '/invites', { role: 'admin' }),
    await begin(rogue, `/accounts/${ada.me.account.id}/reset-password`, {}),
  ]
  await ada.post(`/accounts/${rogue.me.account.id}`, { role: 'member' })
  for (const end of ends) expect(await end()).toBe(403)
  expect(await listed(ada, '/invites')).toEqual([])
})

test('a session that a password reset ends while a body arrives gets no key (T9)', async () => {
  const user = await addAdmin('reset')
  const end = await begin(user, '/keys', { name: 'late' })
  const link = await ada.post(`/accounts/${user.me.account.id}/reset-password`)
  const [, secret] = ((await link.json()) as { url: string }).url.split('#')
  const reset = await postPanel(service, '/reset-password', { secret, password: 'a new password' })
  expect(reset.status).toBe(200)
  expect(await end()).toBe(401)
  const accounts = await listed<{ id: string; keys: number }>(ada, '/accounts?limit=200')
  expect(accounts.find(({ id }) => id === user.me.account.id)?.keys).toBe(0)
})
