import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { openPage, pressBack, useBrowser } from '../../support/panel/browser.ts'
import { admin, cookiesOf, signIn } from '../../support/panel/panel.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { nextTotp, totp } from '../../support/panel/totp.ts'

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

/** Turns on two-factor authentication, and returns the cookie of the new session. */
async function turnOnCodes(): Promise<string> {
  const { post } = await signIn(service)
  const begun = await post('/auth/two-factor/enable', { password: admin.password })
  const { totpURI } = (await begun.json()) as { totpURI: string }
  const code = totp(new URL(totpURI).searchParams.get('secret') ?? '')
  return cookiesOf(await post('/auth/two-factor/verify-totp', { code }))
}

const keysHeading = (page: Page) => page.getByRole('heading', { name: 'API keys', level: 1 })

test('after a sign-out elsewhere, a dialog asks to sign in again and typed text is kept', async () => {
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

test('two-factor authentication is set up with an app, and accepts its codes and backup codes', async () => {
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/settings')
  await page.getByLabel('Your password').fill(admin.password)
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  const secret = await page.locator('form code').innerText()
  await page.getByLabel('Code from the app').fill('000000')
  await page.getByRole('button', { name: 'Verify and turn on' }).click()
  await page.getByRole('alert').getByText('Code incorrect or expired.').waitFor()
  await page.getByLabel('Code from the app').fill(totp(secret))
  await page.getByRole('button', { name: 'Verify and turn on' }).click()
  const codes = await page.getByRole('region', { name: 'Backup codes' }).innerText()
  await page.getByRole('button', { name: 'I’ve saved these codes' }).click()
  await page.getByText('Signing in with your password requires a code.').waitFor()

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await signInAs(page)
  await page.getByLabel('Authenticator code').fill(nextTotp(secret))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await keysHeading(page).waitFor()

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await signInAs(page)
  await page.getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByLabel('Backup code', { exact: true }).fill(codes.split('\n')[0] ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await keysHeading(page).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('backup codes that are shown or awaited are not lost by Back or a link', async () => {
  const cookie = await turnOnCodes()
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  const answer = Promise.withResolvers<void>()
  await page.route('**/generate-backup-codes', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.goto('/keys')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Your password').fill(admin.password)
  await page.getByRole('button', { name: 'Regenerate backup codes' }).click()
  await page.getByRole('link', { name: 'Usage' }).click()
  answer.resolve()
  const dialog = page.getByRole('dialog', { name: 'Save these backup codes' })
  await dialog.getByRole('region', { name: 'Backup codes' }).waitFor()
  await pressBack(page)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'I’ve saved these codes' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('the error of the last action is shown, not that of an earlier one', async () => {
  const { page, close } = await openPage(browser(), service, { cookie: await turnOnCodes() })
  const fail = (path: string, message: string) =>
    page.route(`**/two-factor/${path}`, (route) =>
      route.fulfill({ status: 400, json: { error: { message, code: 'invalid_value' } } }),
    )
  await fail('generate-backup-codes', 'No new codes.')
  await fail('disable', 'Still on.')
  await page.goto('/settings')
  await page.getByLabel('Your password').fill(admin.password)
  const alert = page.getByRole('region', { name: 'Two-factor' }).getByRole('alert')
  await page.getByRole('button', { name: 'Regenerate backup codes' }).click()
  await alert.getByText('No new codes.').waitFor()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await alert.getByText('Still on.').waitFor()
  await page.getByRole('button', { name: 'Regenerate backup codes' }).click()
  await alert.getByText('No new codes.').waitFor()
  expect(await alert.count()).toBe(1)
  await close()
})

test('a user without a password gets no form that needs one', async () => {
  const { cookie, me } = await signIn(service)
  // Browsers allow passkeys for host names, not for IP addresses.
  const named = { url: service.url.replace('127.0.0.1', 'localhost') }
  const { page, faults, close } = await openPage(browser(), named, { cookie })
  const user = { ...me.user, has_password: false }
  await page.route('**/panel/api/me', (route) => route.fulfill({ json: { ...me, user } }))
  await page.goto('/settings')
  const password = page.getByRole('region', { name: 'Password', exact: true })
  await password.getByText('Ask an admin for a password reset link to set one.').waitFor()
  await page.getByLabel('Passkey name').waitFor()
  expect(await page.locator('input[type=password]').count()).toBe(0)
  expect(await page.getByText('Set up two-factor authentication').count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test('a passkey can be added, used to sign in and removed', async () => {
  const { cookie } = await signIn(service)
  // Browsers allow passkeys for host names, not for IP addresses.
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
  await page.getByLabel('Passkey name').fill('laptop')
  await page.getByLabel('Account password').fill('not my password')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('Incorrect password.').waitFor()
  await page.getByLabel('Account password').fill(admin.password)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('Passkey added.').waitFor()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await keysHeading(page).waitFor()
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Remove laptop' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByRole('button', { name: 'Remove laptop' }).waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('changing the password ends all other sessions', async () => {
  const { cookie } = await signIn(service)
  const other = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/settings')
  const otherSession = page.getByRole('button', { name: 'Sign out Unknown browser' })
  await otherSession.first().waitFor()
  await page.getByLabel('Current password').fill('not my password')
  await page.getByLabel('New password').fill('a battery staple horse')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Incorrect password.').waitFor()
  expect(await page.getByLabel('New password').inputValue()).toBe('a battery staple horse')
  await page.getByLabel('Current password').fill(admin.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed.').waitFor()
  await otherSession.first().waitFor({ state: 'detached' })
  expect((await other.get('/me')).status).toBe(401)
  expect(faults).toEqual([])
  await close()
})

test('the chosen theme applies before the first paint, independent of the system’s theme', async () => {
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, {
    cookie,
    colorScheme: 'light',
  })
  await page.goto('/settings')
  await page.getByText('Dark', { exact: true }).click()
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  // Block the application, so that only first-paint.js runs.
  await page.route(/assets\/index-.*\.js/, (route) => route.abort())
  await page.goto('/settings')
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
  expect(faults).toEqual([])
  await close()
})
