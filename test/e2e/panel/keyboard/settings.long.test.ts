import { beforeEach, expect, test, vi } from 'vitest'
import { openPage, useBrowser } from '../../../support/panel/browser.ts'
import { expectFocusKept, useKeyboard } from '../../../support/panel/keyboard.ts'
import { admin, signIn } from '../../../support/panel/panel.ts'
import { totp } from '../../../support/panel/totp.ts'
import { startTestService, type TestService } from '../../../support/service.ts'

vi.setConfig({ testTimeout: 180_000 })
const browser = useBrowser()
let service: TestService
beforeEach(async () => {
  service = await startTestService()
  return () => service.close()
})

test('by keyboard alone: the first account is created from the set-up link', async () => {
  const { page, faults, close } = await openPage(browser(), service)
  const keys = useKeyboard(page)
  await page.goto(service.setUpUrl ?? '')
  await keys.type(page.getByLabel('Name'), admin.name)
  await keys.type(page.getByLabel('E-mail'), admin.email)
  await keys.type(page.getByLabel('Password', { exact: true }), admin.password)
  await keys.press(page.getByRole('button', { name: 'Create account' }), 'Enter')
  await keys.isOn(page.getByRole('heading', { name: 'API keys', level: 1 }))
  expect(faults).toEqual([])
  await close()
})

test('by keyboard alone: name, theme, password, two-factor authentication and sessions are changed', async () => {
  const { cookie } = await signIn(service)
  await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  const keys = useKeyboard(page)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto('/settings')
  await button('Sign out Unknown browser').waitFor()
  await keys.type(page.getByLabel('Name', { exact: true }), 'Ada L.')
  await keys.press(button('Save'), 'Enter')
  await page.getByText('Saved.').waitFor()
  await keys.isOn(button('Save'))
  await keys.press(page.getByRole('radio', { name: 'System' }), 'ArrowRight', 'ArrowRight')
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await keys.type(page.getByLabel('Current password'), admin.password)
  await keys.type(page.getByLabel('New password'), 'a battery staple horse')
  await keys.press(button('Change password'), 'Enter')
  await page.getByText('Password changed.').waitFor()
  await keys.isOn(button('Change password'))

  await keys.type(page.getByLabel('Your password'), 'a battery staple horse')
  await keys.press(button('Set up two-factor authentication'), 'Enter')
  await keys.isOn(page.getByLabel('Code from the app'))
  await page.keyboard.insertText('000000')
  await keys.press(button('Verify and turn on'), 'Enter')
  await page.getByRole('alert').getByText('Code incorrect or expired.').waitFor()
  await keys.isOn(button('Verify and turn on'))
  const secret = await page.locator('form code').innerText()
  await keys.type(page.getByLabel('Code from the app'), totp(secret))
  await page.keyboard.press('Enter')
  await button('I’ve saved these codes').waitFor()
  await expectFocusKept(page)
  await keys.press(button('I’ve saved these codes'), 'Enter')
  await button('Turn off').waitFor()
  await expectFocusKept(page)
  await keys.type(page.getByLabel('Your password'), 'a battery staple horse')
  await keys.press(button('Turn off'), 'Enter')
  await button('Set up two-factor authentication').waitFor()
  await expectFocusKept(page)

  await signIn(service, { email: admin.email, password: 'a battery staple horse' })
  await page.reload()
  await keys.press(button('Sign out Unknown browser'), 'Enter')
  await button('Sign out Unknown browser').waitFor({ state: 'detached' })
  await expectFocusKept(page)
  expect(faults).toEqual([])
  await close()
})

test('by keyboard alone: a passkey is added, its removal cancelled and then confirmed', async () => {
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
  const keys = useKeyboard(page)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto('/settings')
  await keys.type(page.getByLabel('Passkey name'), 'laptop')
  await keys.type(page.getByLabel('Account password'), admin.password)
  await keys.press(button('Add passkey'), 'Enter')
  await button('Remove laptop').waitFor()
  await keys.isOn(button('Add passkey'))
  await keys.press(button('Remove laptop'), 'Enter')
  await keys.isOn(button('Cancel'))
  await page.keyboard.press('Enter')
  await keys.isOn(button('Remove laptop'))
  await page.keyboard.press('Enter')
  await keys.press(button('Remove passkey'), 'Enter')
  await button('Remove laptop').waitFor({ state: 'detached' })
  await expectFocusKept(page)
  expect(faults).toEqual([])
  await close()
})
