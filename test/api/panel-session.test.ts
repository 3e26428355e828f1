import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, postPanel, setUp, signIn } from '../support/panel.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('the set-up link makes the first user, once, with the account and the keys that are there', async () => {
  const { me } = await setUp(service)
  expect(me).toMatchObject({
    user: { email: admin.email, name: admin.name, role: 'admin', two_factor_enabled: false },
    account: { name: 'default', limits: { requests_per_minute: null } },
  })
  const token = service.setUpUrl?.split('#')[1] ?? ''
  const again = await postPanel(service, '/setup', { ...admin, email: 'eve@example.com', token })
  expect([again.status, await again.json()]).toMatchObject([
    410,
    { error: { code: 'link_expired' } },
  ])
})

test('who signs in has a session until the sign-out', async () => {
  const { get, post } = await signIn(service)
  expect((await get('/me')).status).toBe(200)
  expect((await post('/auth/sign-out')).status).toBe(200)
  const after = await get('/me')
  expect([after.status, after.headers.get('www-authenticate'), await after.json()]).toMatchObject([
    401,
    null,
    { error: { code: 'session_required' } },
  ])
})
