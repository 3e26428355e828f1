import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PanelKeyList } from '../../../src/protocol/panel-keys.ts'
import {
  chromiumMissing,
  expectAccessible,
  expectNoSidewaysScroll,
  expectThreeScreensAtMost,
  openPage,
  useBrowser,
} from '../../support/panel/browser.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'
import { addUser, signIn } from '../../support/panel/panel.ts'

const browser = useBrowser()
let service: TestService
beforeAll(async () => {
  if (chromiumMissing) return
  service = await startTestService()
})
afterAll(() => service?.close())

test('public pages pass axe in both themes, do not scroll sideways and are short', async () => {
  const { page, faults, close } = await openPage(browser(), service)
  for (const path of [service.setUpUrl ?? '', '/sign-in', '/sign-up#x', '/reset-password#x'])
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await expectThreeScreensAtMost(page)
    }
  expect(faults).toEqual([])
  await close()
}, 120_000)

test('signed-in pages pass axe in both themes, do not scroll sideways and are short', async () => {
  const { cookie } = await signIn(service)
  const reply = await service.post(question)
  const requestId = reply.headers.get('x-request-id') ?? ''
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  for (const path of [
    '/keys',
    '/usage',
    '/requests',
    `/requests/${requestId}`,
    '/live',
    '/model',
    '/playground',
    '/quick-start',
    '/accounts',
    '/audit',
    '/replicas',
    '/spending',
    '/settings',
  ])
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 })
      // Waits until no request is running, so that parts that load later already show a loader.
      await page.goto(path, { waitUntil: 'networkidle' })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await expectThreeScreensAtMost(page)
    }
  expect(faults).toEqual([])
  await close()
}, 300_000)

/** Returns the dialogs of the pages: the path, and the name of the button that opens it if the path does not. */
function dialogsOf(key: string): [path: string, opener?: string][] {
  return [
    ['/keys?dialog=create'],
    [`/keys?dialog=edit&key=${key}`],
    [`/keys?dialog=rotate&key=${key}`],
    [`/keys?dialog=revoke&key=${key}`],
    ['/accounts', 'Invite user'],
    ['/accounts', 'Edit: Bob'],
    ['/accounts', 'Reset password: Bob'],
    ['/accounts', 'Disable: Bob'],
    ['/accounts', 'Revoke the invite for grace@example.com'],
    ['/playground', 'History'],
    ['/playground', 'Share settings'],
    ['/playground', 'Code'],
  ]
}

test('dialogs pass axe in both themes, and do not scroll sideways', async () => {
  const ada = await signIn(service)
  const { data: keys } = (await (await ada.get('/keys')).json()) as PanelKeyList
  const key = keys[0]?.id ?? ''
  await addUser(service, { email: 'bob@example.com', name: 'Bob' })
  await ada.post('/invites/allowed', { allowed: true })
  await ada.post('/invites', { role: 'member', email: 'grace@example.com' })
  const { page, faults, close } = await openPage(browser(), service, ada)
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    for (const [path, opener] of dialogsOf(key)) {
      await page.goto(path)
      if (opener !== undefined)
        await page.getByRole('button', { name: opener, exact: true }).click()
      await page.getByRole('dialog').getByRole('heading').first().waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
  }
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Open menu' }).click()
  // axe does not check the name of a <dialog>.
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Usage' }).waitFor()
  await expectAccessible(page)
  await page.goto('/settings')
  await ada.post('/auth/sign-out')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  expect(faults).toEqual([])
  await close()
}, 600_000)

test('the playground passes axe with all features in use', async () => {
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/playground')
  await page.getByRole('switch', { name: 'Compare two settings' }).check()
  await page.getByText('Tools', { exact: true }).click()
  await page.getByRole('button', { name: 'Add an example tool' }).click()
  await page.getByText('Advanced settings').click()
  await page.getByLabel('Replies').fill('2')
  await page.getByLabel('Top logprobs').fill('2')
  await page.getByLabel('Max tokens').fill('5')
  await page.getByLabel('Your message').fill('A | B\n- | -\n1 | 2')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Finish reason', { exact: true }).nth(1).waitFor()
  await page.locator('summary', { hasText: 'Token probabilities' }).first().click()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Code' }).click()
  await page.getByRole('tab', { name: 'Python' }).click()
  await expectAccessible(page)
  expect(faults).toEqual([])
  await close()
}, 300_000)
