import type { Page } from 'playwright-core'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Me } from '../../../src/protocol/panel-session.ts'
import { openPage, useBrowser } from '../../support/panel/browser.ts'
import { client, startIssuer } from '../../support/panel/oidc-issuer.ts'
import { addUser, admin, setUp, type Signed } from '../../support/panel/panel.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const browser = useBrowser()
let service: TestService
let ada: Signed
beforeEach(async () => {
  service = await startTestService()
  ada = await setUp(service)
  return () => service.close()
})

const grace = { email: 'grace@example.com', name: 'Grace' }
const sessionDialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })
/** The name of the signed-in user in the sidebar. */
const userName = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByText(name, { exact: true })

test('a user who signs in where the session of another one has ended gets none of their conversation', async () => {
  const { me } = await addUser(service, grace)
  const { page, faults, close } = await openPage(browser(), service, { cookie: ada.cookie })
  await page.goto('/playground')
  const input = page.getByLabel('Your message')
  await input.waitFor()
  await ada.post('/auth/sign-out')
  await input.fill('What only Ada may read')
  await input.press('Enter')
  await sessionDialog(page).waitFor()
  await page.getByLabel('E-mail').fill(grace.email)
  await page.getByLabel('Password', { exact: true }).fill('password of Grace')
  await page.keyboard.press('Enter')
  await userName(page, 'Grace').waitFor()
  await input.waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await input.inputValue()).toBe('')
  expect(await page.getByLabel('Message 1, User').count()).toBe(0)
  const keptFor = (id: string): Promise<string> =>
    page.evaluate(`String(sessionStorage.getItem('pipit.playground.${id}'))`)
  await input.fill('Hello')
  await expect.poll(() => keptFor(me.user.id)).toContain('Hello')
  expect(await keptFor(me.user.id)).not.toContain('Ada')
  // Ada gets it back.
  expect(await keptFor(ada.me.user.id)).toContain('What only Ada may read')
  expect(faults).toEqual([])
  await close()
})

test('after another user has signed in in a second tab, the first one changes and shows nothing of theirs', async () => {
  const signedIn = await addUser(service, grace)
  const nameOf = async ({ get }: Signed) => ((await (await get('/me')).json()) as Me).user.name
  const { page, context, faults, close } = await openPage(browser(), service, {
    cookie: ada.cookie,
  })
  await page.goto('/settings')
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  const second = await context.newPage()
  await second.goto('/sign-in')
  await second.getByLabel('E-mail').fill(grace.email)
  await second.getByLabel('Password', { exact: true }).fill('password of Grace')
  await second.keyboard.press('Enter')
  await second.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await sessionDialog(page).waitFor()
  expect(await nameOf(signedIn)).toBe('Grace')
  await page.getByLabel('Password', { exact: true }).last().fill(admin.password)
  await page.keyboard.press('Enter')
  await sessionDialog(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await nameOf(signedIn)).toBe('Grace')
  expect(faults).toEqual([])
  await close()
})

test('Escape closes the dialog of an ended session, and not the form below it', async () => {
  const { page, faults, close } = await openPage(browser(), service, { cookie: ada.cookie })
  await page.goto('/keys?dialog=create')
  const form = page.getByRole('dialog', { name: 'Create key' })
  await form.getByLabel('Name').fill('typed')
  await ada.post('/auth/sign-out')
  await form.getByRole('button', { name: 'Create key' }).click()
  await sessionDialog(page).waitFor()
  await page.keyboard.press('Escape')
  await sessionDialog(page).waitFor({ state: 'detached' })
  expect(await form.getByLabel('Name').inputValue()).toBe('typed')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('a page that stays open reads its session every hour and when it is shown again, and survives a failure', async () => {
  const { page, faults, close } = await openPage(browser(), service, { cookie: ada.cookie })
  const hourMs = 3_600_000
  let asked = 0
  await page.route('**/panel/api/me', (route) => {
    asked += 1
    return asked === 2 ? route.fulfill({ status: 503, body: '' }) : route.continue()
  })
  await page.clock.install()
  await page.goto('/settings')
  await userName(page, 'Ada').waitFor()
  expect(asked).toBe(1)
  await page.clock.runFor(hourMs)
  await expect.poll(() => asked).toBe(2)
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await ada.post('/auth/update-user', { name: 'Ada Lovelace' })
  await page.clock.runFor(hourMs)
  await userName(page, 'Ada Lovelace').waitFor()
  expect(asked).toBe(3)
  // A browser stops the timers of a page that it does not show.
  await page.clock.setSystemTime(Date.now() + 4 * hourMs)
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
  await expect.poll(() => asked).toBe(4)
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a sign-in with OIDC opens the wanted page, also after a session has ended', async () => {
  const issuer = await startIssuer()
  onTestFinished(() => issuer.close())
  issuer.send({ sub: 'g-1', ...grace, email_verified: true })
  const own = await startTestService({
    environment: {
      PIPIT_SIGN_UP: 'open',
      PIPIT_OIDC_ISSUER: issuer.url,
      PIPIT_OIDC_CLIENT_ID: client.id,
      PIPIT_OIDC_CLIENT_SECRET: client.secret,
      PIPIT_OIDC_NAME: 'The Issuer',
    },
  })
  onTestFinished(() => own.close())
  issuer.open(`${own.url}/panel/api/auth/callback/oidc`)
  await setUp(own)
  const { page, context, close } = await openPage(browser(), own)
  await page.goto('/usage?range=30d#end')
  await page.getByRole('button', { name: 'Sign in with The Issuer' }).click()
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  expect(page.url()).toBe(`${own.url}/usage?range=30d#end`)
  await page.goto('/requests?status=refused')
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
  await context.clearCookies({ name: 'pipit.session_token' })
  await sessionDialog(page).getByText('unless you sign in with The Issuer.').waitFor()
  await page.getByRole('button', { name: 'Sign in with The Issuer' }).click()
  await sessionDialog(page).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
  expect(page.url()).toBe(`${own.url}/requests?status=refused`)
  // The page is kept for one sign-in.
  await page.goto('/')
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await close()
})
