import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { SetUpState } from '../../../src/protocol/panel-session.ts'
import { openPage, setUpInBrowser, useBrowser } from '../../support/panel/browser.ts'
import { admin, postPanel, signIn } from '../../support/panel/panel.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const browser = useBrowser()
let service: TestService
beforeEach(async () => {
  service = await startTestService()
  return () => service.close()
})

test('the set-up link creates the first account and works once', async () => {
  const { page, faults, close } = await openPage(browser(), service)
  await setUpInBrowser(page, service)
  expect(new URL(page.url()).pathname).toBe('/keys')
  await page.goto(service.setUpUrl ?? '')
  await page.getByText('Pipit is already set up').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('the forms of a new account keep what is typed when the service fails in the background', async () => {
  const own = await startTestService({ environment: { PIPIT_SIGN_UP: 'open' } })
  onTestFinished(() => own.close())
  const pages = { [own.setUpUrl ?? '']: admin.email, '/sign-up': 'grace@example.com' }
  for (const [path, email] of Object.entries(pages)) {
    const { page, faults, close } = await openPage(browser(), own)
    await page.clock.install()
    await page.goto(path)
    await page.getByLabel('Name').fill('Somebody')
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await page.route('**/panel/api/setup', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 503 }) : route.continue(),
    )
    await page.clock.setSystemTime(Date.now() + 60_000)
    const failed = page.waitForResponse('**/panel/api/setup')
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
    expect((await failed).status()).toBe(503)
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    expect(faults).toEqual([])
    await close()
  }
})

test('a wrong password is reported and the e-mail is kept; the right one opens the wanted page', async () => {
  await signIn(service)
  const { page, faults, close } = await openPage(browser(), service)
  await page.goto('/usage?range=30d')
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  await page.getByLabel('E-mail').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong password here')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Incorrect e-mail address or password.').waitFor()
  expect(await page.getByLabel('E-mail').inputValue()).toBe(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  expect(new URL(page.url()).search).toBe('?range=30d')
  expect(faults).toEqual([])
  await close()
})

test('the error of the last way to sign in is shown, not that of an earlier one', async () => {
  // Browsers allow passkeys for host names, not for IP addresses.
  const named = { url: service.url.replace('127.0.0.1', 'localhost') }
  const { page, close } = await openPage(browser(), named)
  await page.route('**/panel/api/setup', async (route) => {
    const response = await route.fetch()
    const setup = (await response.json()) as SetUpState
    await route.fulfill({ response, json: { ...setup, oidc: { name: 'The Issuer' } } })
  })
  const fail = (path: string, message: string) =>
    page.route(`**/panel/api/auth/${path}`, (route) =>
      route.fulfill({ status: 400, json: { error: { message, code: 'invalid_value' } } }),
    )
  await fail('passkey/generate-authenticate-options', 'No passkey.')
  await fail('sign-in/oauth2', 'No issuer.')
  await page.goto('/sign-in')
  for (const [button, message] of [
    ['Sign in with a passkey', 'No passkey.'],
    ['Sign in with The Issuer', 'No issuer.'],
    ['Sign in with a passkey', 'No passkey.'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('alert').getByText(message).waitFor()
  }
  await close()
})

test('the sign-in page never redirects to another site', async () => {
  await signIn(service)
  const { page, faults, close } = await openPage(browser(), service)
  await page.goto('/sign-in?next=//other.example/keys')
  await page.getByLabel('E-mail').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  expect(page.url()).toBe(`${service.url}/keys`)
  expect(faults).toEqual([])
  await close()
})

test('a new browser signs in while strangers guess the password: it solves a puzzle first (T10, T56)', async () => {
  await signIn(service)
  const guess = { email: admin.email, password: 'guess' }
  for (let i = 0; i < 6; i++) await postPanel(service, '/auth/sign-in/email', guess)
  const { page, context, faults, close } = await openPage(browser(), service)
  const answers: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/auth/sign-in/email')) answers.push(response.status())
  })
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong password here')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Incorrect e-mail address or password.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  expect(answers).toEqual([429, 401, 429, 200])

  // From now on the browser is remembered.
  const devices = (await context.cookies()).filter(({ name }) => name.includes('device'))
  expect(devices).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }])
  await context.clearCookies({ name: 'pipit.session_token' })
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  expect(answers.slice(4)).toEqual([200])
  expect(faults).toEqual([])
  await close()
})

test('passkeys are not offered at an IP address, and Settings names the address where they work', async () => {
  const { cookie } = await signIn(service)
  const visitor = await openPage(browser(), service)
  await visitor.page.goto('/sign-in')
  await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(await visitor.page.getByRole('button', { name: /passkey/ }).count()).toBe(0)
  await visitor.page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/sign-in`)
  await visitor.page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  const { page, close } = await openPage(browser(), service, { cookie })
  await page.goto('/settings')
  const link = page.getByRole('link', { name: /^localhost:/ })
  expect(await link.getAttribute('href')).toBe(
    `${service.url.replace('127.0.0.1', 'localhost')}/settings`,
  )
  expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0)
  await visitor.close()
  await close()
})

test('a page that cannot be loaded keeps the navigation, and loads with the next try', async () => {
  const { cookie } = await signIn(service)
  const { page, context, close } = await openPage(browser(), service, { cookie })
  await page.goto('/keys')
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  await context.route('**/*', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Usage', exact: true }).click()
  await page.getByRole('alert').getByText('This page could not be loaded.').waitFor()
  await page.getByRole('link', { name: 'Requests', exact: true }).waitFor()
  await context.unroute('**/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  await close()
})
