import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccountWithKey } from '../../support/accounts.ts'
import {
  chromiumMissing,
  expectAccessible,
  openPage,
  useBrowser,
} from '../../support/panel/browser.ts'
import { addUser, signIn } from '../../support/panel/panel.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

const browser = useBrowser()
let service: TestService
beforeAll(async () => {
  if (chromiumMissing) return
  service = await startTestService()
})
afterAll(() => service?.close())

test('an invite creates a member, who cannot see the accounts page or its link', async () => {
  const { cookie } = await signIn(service)
  const admin = await openPage(browser(), service, { cookie })
  await admin.page.goto('/accounts')
  const allow = admin.page.getByRole('switch', { name: 'Allow invites' })
  await allow.waitFor()
  expect(await admin.page.getByRole('button', { name: 'Invite user' }).count()).toBe(0)
  await allow.focus()
  await admin.page.keyboard.press('Space')
  await admin.page.getByRole('button', { name: 'Invite user' }).click()
  const dialog = admin.page.getByRole('dialog')
  await dialog.getByLabel('E-mail address').fill('no address')
  await dialog.getByRole('button', { name: 'Create invite' }).click()
  await dialog.getByText('address').last().waitFor()
  expect(await dialog.getByLabel('E-mail address').inputValue()).toBe('no address')
  await dialog.getByLabel('E-mail address').fill('grace@example.com')
  await dialog.getByRole('button', { name: 'Create invite' }).click()
  const link = (await dialog.locator('code').textContent()) ?? ''
  await expectAccessible(admin.page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await admin.page.getByRole('rowheader', { name: 'grace@example.com' }).waitFor()

  const member = await openPage(browser(), service)
  await member.page.goto(link)
  await member.page.getByLabel('Name').fill('Grace')
  await member.page.getByText('This invite is for grace@example.com, as a member.').waitFor()
  expect(await member.page.getByLabel('E-mail').inputValue()).toBe('grace@example.com')
  await member.page.getByLabel('Password', { exact: true }).fill('a long enough password')
  await member.page.getByRole('button', { name: 'Create account' }).click()
  await member.page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  expect(await member.page.getByRole('link', { name: 'Accounts' }).count()).toBe(0)
  await member.page.goto('/accounts')
  await member.page.getByText('Only admins can see this page').waitFor()
  expect([...admin.faults, ...member.faults]).toEqual([])
  await admin.close()
  await member.close()
})

test('a user who opens a password link sees whose account it is, and is signed in afterwards', async () => {
  const { cookie } = await signIn(service)
  await addUser(service, { email: 'bob@example.com', name: 'Bob' })
  const admin = await openPage(browser(), service, { cookie })
  await admin.page.goto('/accounts')
  await admin.page.getByRole('button', { name: 'Reset password: Bob' }).click()
  const dialog = admin.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = (await dialog.locator('code').textContent()) ?? ''
  const bob = await openPage(browser(), service)
  await bob.page.goto(link)
  await bob.page.getByText('bob@example.com').waitFor()
  await bob.page.getByLabel('New password').fill('a long enough password')
  await bob.page.getByRole('button', { name: 'Change password' }).click()
  await bob.page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  // The used link offers no form.
  await bob.page.goto('about:blank')
  await bob.page.goto(link)
  await bob.page.getByRole('alert').getByText('This link is no longer valid').waitFor()
  expect(await bob.page.getByLabel('New password').count()).toBe(0)
  expect([...admin.faults, ...bob.faults]).toEqual([])
  await admin.close()
  await bob.close()
})

test('the dialog of a one-time link stays open until it shows the link', async () => {
  const { cookie } = await signIn(service)
  await addUser(service, { email: 'carol@example.com', name: 'Carol' })
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  const answer = Promise.withResolvers<void>()
  await page.route('**/reset-password', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.goto('/accounts')
  await page.getByRole('button', { name: 'Reset password: Carol' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
  expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  answer.resolve()
  await dialog.locator('code').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('the keys of a disabled account are refused until it is enabled again', async () => {
  const { key } = await addAccountWithKey(service, 'guest')
  const statusOf = async () => (await service.post(question, { key })).status
  await expect.poll(statusOf).toBe(200)
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/accounts')
  await page.getByRole('button', { name: 'Disable: guest' }).click()
  await page.getByRole('button', { name: 'Disable account' }).click()
  await page.getByRole('button', { name: 'Enable: guest' }).waitFor()
  await expect.poll(statusOf).toBe(401)
  await page.getByRole('button', { name: 'Enable: guest' }).click()
  await page.getByRole('button', { name: 'Enable account' }).click()
  await page.getByRole('button', { name: 'Disable: guest' }).waitFor()
  await expect.poll(statusOf).toBe(200)
  // Admins cannot disable their own account.
  expect(await page.getByRole('button', { name: 'Disable: Ada' }).count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test('an invalid account limit has an error at its field, and typed values are kept', async () => {
  const { cookie, get } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/accounts')
  await page.getByRole('button', { name: 'Edit: Ada' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tokens per day').fill('plenty')
  await dialog.getByLabel('Tokens per month').fill('1,000,000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a whole number of 1 or more, or leave blank.').waitFor()
  await dialog.getByLabel('Tokens per day').fill('99999999999')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/1,?000,?000,?000/).waitFor()
  expect(await dialog.getByLabel('Tokens per month').inputValue()).toBe('1,000,000')
  await dialog.getByLabel('Tokens per day').fill('50000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { account } = (await (await get('/me')).json()) as { account: { limits: object } }
  expect(account.limits).toMatchObject({ tokens_per_day: 50_000, tokens_per_month: 1_000_000 })
  expect(faults).toEqual([])
  await close()
})

test('saving an account leaves alone what another admin changed meanwhile', async () => {
  const { cookie, get, post, me } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/accounts')
  await page.getByRole('button', { name: 'Edit: Ada' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tokens per month').fill('3000000')
  await post(`/accounts/${me.account.id}`, { limits: { requests_per_minute: 77 } })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await (await get('/me')).json()).toMatchObject({
    account: { limits: { tokens_per_month: 3_000_000, requests_per_minute: 77 } },
  })
  expect(faults).toEqual([])
  await close()
})
