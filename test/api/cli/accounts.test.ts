import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, admin, postPanel, setUp, signIn } from '../../support/panel/panel.ts'
import { runCli } from '../../support/process.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ engine: scriptedEngine({ gate: new ReplyGate().gate }) })
})
afterAll(() => service.close())

const accounts = (...args: string[]) =>
  runCli(['accounts', ...args], {
    PIPIT_DATA_DIR: service.dataDir,
    PIPIT_PUBLIC_URL: 'https://pipit.example.com',
  })
const secretOf = (text: string) =>
  /https:\/\/pipit\.example\.com\/reset-password#(\S+)/.exec(text)?.[1] ?? ''

test('accounts are created, disabled and enabled while the service runs', async () => {
  const owner = await setUp(service)
  const created = await accounts('create', '--email', 'Bob@example.com', '--name', 'Bob')
  expect(created.code).toBe(0)
  const choice = { secret: secretOf(created.stdout), password: 'chosen by Bob' }
  expect((await postPanel(service, '/reset-password', choice)).status).toBe(200)
  const bob = await signIn(service, { email: 'bob@example.com', password: choice.password })
  expect(bob.me).toMatchObject({ user: { name: 'Bob', role: 'member' }, account: { name: 'Bob' } })
  expect(bob.me.account.id).not.toBe(owner.me.account.id)

  expect((await accounts('disable', 'bob@example.com')).stdout).toMatch(
    /^Account acct_\w+ disabled\.$/m,
  )
  expect((await bob.get('/me')).status).toBe(401)
  expect((await accounts('list')).stdout).toMatch(/Bob +bob@example\.com +disabled/)
  expect((await accounts('enable', bob.me.account.id)).code).toBe(0)
  const again = await signIn(service, { email: 'bob@example.com', password: choice.password })
  expect((await again.get('/me')).status).toBe(200)

  const reset = await accounts('reset-password', 'bob@example.com')
  const other = { secret: secretOf(reset.stdout), password: 'another by Bob' }
  expect((await postPanel(service, '/reset-password', other)).status).toBe(200)
  expect((await again.get('/me')).status).toBe(401)
})

test('an open stream ends with an error when its account is disabled (T9)', async () => {
  const carol = await addUser(service, { email: 'carol@example.com', name: 'C', role: 'admin' })
  await signIn(service)
  const response = await service.post({ ...question, stream: true })
  // Reads without a pause: a client loses the bytes that it has not read when the connection is cut.
  const reading = textUntilCut(response)
  expect((await accounts('disable', admin.email)).code).toBe(0)
  const text = await reading
  expect(text).not.toContain('[DONE]')
  expect(text).toContain('"error"')
  await carol.post(`/auth/sign-out`)
  expect((await accounts('enable', admin.email)).code).toBe(0)
})

async function textUntilCut(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true })
  } catch {
    // The service cuts the connection.
  }
  return text
}

test.each([
  [['create', '--email', 'nobody'], 'Enter an e-mail address'],
  [['create', '--email', admin.email], 'An account with this e-mail address exists'],
  [['disable', 'acct_none'], 'There is no account "acct_none".'],
  [['reset-password', 'nobody@example.com'], 'There is no account "nobody@example.com".'],
])('%j reports the mistake in one sentence', async (args, sentence) => {
  const { code, stderr, stdout } = await accounts(...args)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(sentence)
})

test('with an https URL the cookie is bound to the host, and only the public origin may write (T11, T12)', async () => {
  const url = 'https://pipit.example.com'
  const own = await startTestService({ environment: { PIPIT_PUBLIC_URL: url } })
  try {
    expect(own.setUpUrl).toMatch(/^https:\/\/pipit\.example\.com\/setup#/)
    const secret = own.setUpUrl?.split('#')[1] ?? ''
    const direct = await postPanel(own, '/setup', { ...admin, secret })
    expect(direct.status).toBe(403)
    const response = await postPanel(own, '/setup', { ...admin, secret }, { origin: url })
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(
      /^__Host-pipit\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect((await fetch(`${own.url}/panel/api/me`, { headers })).status).toBe(200)
  } finally {
    await own.close()
  }
})
