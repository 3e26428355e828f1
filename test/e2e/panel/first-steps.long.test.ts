import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  chromiumMissing,
  expectAccessible,
  expectNoSidewaysScroll,
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

test('the first steps tick themselves off from what the user does, until none is left', async () => {
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/keys')
  const card = page.getByRole('region', { name: 'First steps' })
  const done = (title: string) =>
    card.getByRole('listitem').filter({ hasText: title }).getByRole('img', { name: 'Done' })
  await card.getByText('0 of 5 done').waitFor()
  await expectAccessible(page)

  await card.getByRole('link', { name: 'Open the playground' }).click()
  await page.getByLabel('Your message').fill('Hello')
  await page.getByLabel('Your message').press('Enter')
  await page.getByText('Finish reason', { exact: true }).waitFor()
  await page.goto('/keys')
  await done('Send a first message').waitFor()

  await card.getByRole('link', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('laptop')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await dialog.getByLabel('Key for laptop').inputValue()
  expect(await dialog.getByRole('region', { name: 'curl code' }).innerText()).toContain(key)
  await dialog.getByRole('button', { name: 'I’ve saved this key' }).click()
  await done('Copy a key').waitFor()

  // The page shows the call without a reload.
  const reply = await service.post(question, { key })
  await done('Make a call from your language').waitFor()
  await page.goto(`/requests/${reply.headers.get('x-request-id')}`)
  await page.getByRole('heading', { name: 'Timing' }).waitFor()
  await page.goto('/keys')
  await card.getByText('4 of 5 done').waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScroll(page)

  await addUser(service, { email: 'grace@example.com', name: 'Grace' })
  await page.reload()
  await page.getByRole('row', { name: /laptop/ }).waitFor()
  await card.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
}, 120_000)

test('a member can dismiss the first steps for good, and is not asked to invite', async () => {
  await signIn(service)
  const bob = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
  const { page, faults, close } = await openPage(browser(), service, { cookie: bob.cookie })
  await page.goto('/keys')
  const card = page.getByRole('region', { name: 'First steps' })
  await card.getByText('0 of 4 done').waitFor()
  await card.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await card.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: 'Create your first key' }).waitFor()
  expect(await card.count()).toBe(0)
  expect(faults).toEqual([])
  await close()
}, 120_000)
