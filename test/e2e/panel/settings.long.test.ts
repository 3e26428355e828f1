import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { openPage, useBrowser } from '../../support/panel/browser.ts'
import { admin, signIn } from '../../support/panel/panel.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { totp } from '../../support/panel/totp.ts'

const browser = useBrowser()
let service: TestService
beforeEach(async () => {
  service = await startTestService()
  return () => service.close()
})

async function signInAs(page: Page, password = admin.password): Promise<void> {
  await page.getByLabel('E-mail').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const keysHeading = (page: Page) => page.getByRole('heading', { name: 'API keys', level: 1 })

test('a session that ended elsewhere is asked for again in place, and what was typed is still there', async () => {
  const { cookie, post } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/settings')
  await page.getByLabel('Name', { exact: true }).fill('Ada 👩‍🔬 عالمة')
  await post('/auth/sign-out')
  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel('Password', { exact: true }).fill(admin.password)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings')
  await page.getByRole('navigation').getByText('Ada 👩‍🔬 عالمة').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('two-step sign-in: set up with an app, asked for at the next sign-in, and a backup code opens too', async () => {
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/settings')
  await page.getByLabel('Your password').fill(admin.password)
  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  const secret = await page.locator('form code').innerText()
  await page.getByLabel('The code that the app shows now').fill('000000')
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('alert').getByText('This code is not right').waitFor()
  await page.getByLabel('The code that the app shows now').fill(totp(secret))
  await page.getByRole('button', { name: 'Switch on' }).click()
  const codes = await page.getByRole('region', { name: 'Backup codes' }).innerText()
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByText('Each sign-in with the password asks for a code.').waitFor()

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await signInAs(page)
  await page.getByLabel('Code of your authenticator app').fill(totp(secret))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await keysHeading(page).waitFor()

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await signInAs(page)
  await page.getByRole('button', { name: 'Use a backup code instead' }).click()
  await page.getByLabel('Backup code', { exact: true }).fill(codes.split('\n')[0] ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await keysHeading(page).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a passkey is added, signs in without a password, and is removed', async () => {
  const { cookie } = await signIn(service)
  // A passkey belongs to a name; an address is none.
  const named = { url: service.url.replace('127.0.0.1', 'localhost') }
  const { page, context, faults, close } = await openPage(browser(), named, { cookie })
  const authenticator = await context.newCDPSession(page)
  await authenticator.send('WebAuthn.enable')
  await authenticator.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  await page.goto('/settings')
  await page.getByLabel('Name of the new passkey').fill('laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Added.').waitFor()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await keysHeading(page).waitFor()
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Remove laptop' }).click()
  await page.getByRole('button', { name: 'Remove it' }).click()
  await page.getByRole('button', { name: 'Remove laptop' }).waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('a changed password ends the other sessions; the list shows this browser alone', async () => {
  const { cookie } = await signIn(service)
  const other = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/settings')
  const otherSession = page.getByRole('button', { name: 'Sign out Another program' })
  await otherSession.first().waitFor()
  await page.getByLabel('Current password').fill('not my password')
  await page.getByLabel('New password').fill('a battery staple horse')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The password is wrong.').waitFor()
  expect(await page.getByLabel('New password').inputValue()).toBe('a battery staple horse')
  await page.getByLabel('Current password').fill(admin.password)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Changed.').waitFor()
  await otherSession.first().waitFor({ state: 'detached' })
  expect((await other.get('/me')).status).toBe(401)
  expect(faults).toEqual([])
  await close()
})

test('the chosen theme is there before the first paint, whatever the system has', async () => {
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, {
    cookie,
    colorScheme: 'light',
  })
  await page.goto('/settings')
  await page.getByText('Dark', { exact: true }).click()
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  // Without the application there is only what runs before it.
  await page.route(/assets\/index-.*\.js/, (route) => route.abort())
  await page.goto('/settings')
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
  expect(faults).toEqual([])
  await close()
})
