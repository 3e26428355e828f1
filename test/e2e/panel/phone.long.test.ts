import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chromiumMissing, openPage, useBrowser } from '../../support/panel/browser.ts'
import { type Signed, signIn } from '../../support/panel/panel.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

vi.setConfig({ testTimeout: 120_000 })
const phone = { width: 360, height: 740 }
const wideMarkdown = `| ${'wide heading | '.repeat(8)}\n|${'-|'.repeat(8)}\n| ${'cell | '.repeat(8)}`

const browser = useBrowser()
let service: TestService
let ada: Signed
beforeAll(async () => {
  if (chromiumMissing) return
  service = await startTestService({ engine: scriptedEngine({ reply: () => wideMarkdown }) })
  ada = await signIn(service)
  await service.post(question)
  await ada.post('/invites/allowed', { allowed: true })
  await ada.post('/invites', { role: 'member', email: 'grace@example.com' })
  await ada.post('/prices', { currency: 'EUR', prompt: '1', completion: '1', from: '2026-01-01' })
  await ada.post('/alerts/webhook', { url: 'http://127.0.0.1:9/alerts' })
  await ada.post('/alerts/test')
})
afterAll(() => service?.close())

type WideTable = { name: string; cue: string; isReachable: boolean }

/** Returns the tables that are wider than what shows them, and fails for one that is cut off. */
const wideTables = `[...document.querySelectorAll('main table')].flatMap((table) => {
  let view = table.parentElement
  while (view !== null && !/auto|scroll/.test(getComputedStyle(view).overflowX)) view = view.parentElement
  const name = table.getAttribute('aria-label') ?? table.closest('[aria-label], [aria-labelledby]')?.ariaLabel ?? ''
  if (view === null) {
    if (table.getBoundingClientRect().right > innerWidth) throw new Error(name + ' is cut off')
    return []
  }
  if (view.scrollWidth - view.clientWidth <= 4) return []
  const frame = view.closest('[data-overflow]')
  const cue = frame?.firstElementChild
  const isShown = cue?.checkVisibility({ visibilityProperty: true }) === true
  const hasName = view.hasAttribute('aria-label') || view.hasAttribute('aria-labelledby')
  return [{ name, cue: isShown ? cue.textContent : 'none', isReachable: view.tabIndex === 0 && hasName }]
})`

async function expectCues(page: Page, wanted: number): Promise<void> {
  const read = () => page.evaluate<WideTable[]>(wideTables)
  const cued = { cue: 'Scroll for more →', isReachable: true }
  await expect
    .poll(async () => (await read()).map(({ cue, isReachable }) => ({ cue, isReachable })))
    .toEqual(Array.from({ length: wanted }, () => cued))
}

test.each([
  ['/usage?range=today', 2],
  ['/accounts', 2],
  ['/audit', 1],
  ['/replicas', 1],
  ['/model', 1],
  ['/spending', 2],
])('on a phone, each wide table of %s says that it scrolls', async (path, tables) => {
  const { page, faults, close } = await openPage(browser(), service, { ...phone, ...ada })
  await page.goto(path, { waitUntil: 'networkidle' })
  await expectCues(page, tables)
  expect(faults).toEqual([])
  await close()
})

test('on a phone, a wide table of a reply says that it scrolls, until its end is in view', async () => {
  const { page, faults, close } = await openPage(browser(), service, { ...phone, ...ada })
  await page.goto('/playground')
  await page.getByLabel('Your message').fill('A wide table')
  await page.keyboard.press('Enter')
  await page.getByText('Finish reason', { exact: true }).waitFor()
  await expectCues(page, 1)
  const table = page.getByRole('region', { name: 'Table' })
  await table.focus()
  await page.keyboard.press('End')
  await table.evaluate((element) => Reflect.set(element, 'scrollLeft', 10_000))
  await expect.poll(() => page.getByText('Scroll for more →').first().isVisible()).toBe(false)
  expect(faults).toEqual([])
  await close()
})

test('on a phone, the button that hides the settings stands clear of them', async () => {
  const { page, faults, close } = await openPage(browser(), service, { ...phone, ...ada })
  await page.goto('/playground')
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  const button = await page.getByRole('button', { name: 'Hide settings' }).boundingBox()
  const compare = await page.getByText('Compare two settings').boundingBox()
  expect((compare?.y ?? 0) - (button?.y ?? 0) - (button?.height ?? 0)).toBeGreaterThanOrEqual(8)
  expect(faults).toEqual([])
  await close()
})
