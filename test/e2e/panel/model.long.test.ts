import { cpus } from 'node:os'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Page } from 'playwright-core'
import { randomGguf } from '../../support/gguf/random-gguf.ts'
import { LocalHub } from '../../support/hub/local-hub.ts'
import {
  chromiumMissing,
  expectAccessible,
  expectNoSidewaysScroll,
  expectThreeScreensAtMost,
  openPage,
  useBrowser,
} from '../../support/panel/browser.ts'
import { addUser, signIn, type Signed } from '../../support/panel/panel.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const tiny = randomGguf({ contextTokens: 1024 })
const large = Buffer.concat([tiny, Buffer.alloc(3_000_000, 7)])

const browser = useBrowser()
let hub: LocalHub
let service: TestService
let admin: Signed
beforeAll(async () => {
  if (chromiumMissing) return
  hub = await LocalHub.start({
    'someone/Tiny-GGUF': { files: { 'Tiny-Q8_0.gguf': tiny }, licence: 'mit' },
    'someone/Large-GGUF': { files: { 'Large-Q8_0.gguf': large } },
  })
  vi.stubEnv('HF_ENDPOINT', hub.url)
  const environment = { PIPIT_ENGINE: 'embedded', PIPIT_SLOTS: '2' }
  service = await startTestService({ environment, isSwitchable: true })
  admin = await signIn(service)
}, 60_000)
afterAll(async () => {
  await service?.close()
  await hub?.close()
  vi.unstubAllEnvs()
})
afterEach(() => hub?.faults.splice(0))

async function openModel({ cookie }: Signed, width = 1280) {
  const opened = await openPage(browser(), service, { cookie, width })
  opened.page.setDefaultTimeout(30_000)
  await opened.page.goto('/model')
  await opened.page.getByRole('cell', { name: '20.4 MB' }).waitFor()
  return opened
}

async function pull(page: Page, model: string): Promise<void> {
  await page.getByLabel('Pull a model').fill(model)
  await page.getByRole('button', { name: 'Pull', exact: true }).click()
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('an admin pulls a model, serves it, returns to the bundled one and removes it', async () => {
  const { page, faults, close } = await openModel(admin)
  await page.locator('dd', { hasText: 'svc-o1-mini.gguf' }).waitFor()
  const fingerprint = () => page.getByText(/^fp_[0-9a-f]{12}$/).textContent()
  const before = await fingerprint()
  await pull(page, 'qwen3-0.7b')
  await page.getByText('Did you mean qwen3-0.6b').waitFor()
  await pull(page, 'hf:someone/Tiny-GGUF')
  await row(page, 'tiny-q8_0').waitFor()
  await page.getByRole('button', { name: 'Use: tiny-q8_0' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use model' }).click()
  await row(page, 'tiny-q8_0').getByText('Serving').waitFor()
  await page.locator('dd', { hasText: 'Tiny-Q8_0.gguf' }).waitFor()
  expect(await fingerprint()).not.toBe(before)
  await page.getByRole('button', { name: 'Use: default' }).click()
  await page.getByRole('button', { name: 'Use model' }).click()
  await row(page, 'default').getByText('Serving').waitFor()
  await page.locator('dd', { hasText: 'svc-o1-mini.gguf' }).waitFor()
  expect(await fingerprint()).toBe(before)
  await page.getByRole('button', { name: 'Remove: tiny-q8_0' }).click()
  await page.getByRole('button', { name: 'Remove model' }).click()
  await row(page, 'tiny-q8_0').waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
}, 180_000)

test('replies of two models stand side by side with their fingerprints', async () => {
  const { page, faults, close } = await openModel(admin)
  const use = async (name: string) => {
    await page.goto('/model')
    await page.getByRole('button', { name: `Use: ${name}` }).click()
    await page.getByRole('button', { name: 'Use model' }).click()
    await row(page, name).getByText('Serving').waitFor()
  }
  await pull(page, 'hf:someone/Tiny-GGUF')
  await row(page, 'tiny-q8_0').waitFor()
  await page.goto('/playground')
  await page.getByLabel('Max tokens').fill('8')
  await page.getByLabel('Your message').fill('What is the capital of Japan?')
  await page.keyboard.press('Enter')
  await page.getByText('Finish reason', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Keep to compare' }).click()
  await use('tiny-q8_0')
  await page.goto('/playground')
  await page.getByRole('button', { name: 'Regenerate' }).click()
  await page.getByText('Different fingerprints: another model').waitFor()
  const kept = page.getByRole('region', { name: /^Kept reply of / })
  const reply = page.getByRole('region', { name: 'Reply', exact: true })
  const [first, second] = [kept, reply].map((region) => region.getByText(/^fp_/))
  expect(await first?.textContent()).not.toBe(await second?.textContent())
  await use('default')
  await page.getByRole('button', { name: 'Remove: tiny-q8_0' }).click()
  await page.getByRole('button', { name: 'Remove model' }).click()
  await row(page, 'tiny-q8_0').waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
}, 180_000)

test('the playground names the model and the processor, also after a switch', async () => {
  const { page, faults, close } = await openModel(admin)
  const line = page.getByText('Drafts stay in this tab.')
  const link = page.getByRole('main').getByRole('link', { name: /\(/ })
  const processor = cpus()[0]?.model.trim()
  const expectModel = async (name: string) => {
    await page.goto('/playground')
    await link.waitFor()
    expect(await line.innerText()).toBe(`${name} on ${processor}. Drafts stay in this tab.`)
  }
  await expectModel('svc-o1-mini (Q8_0)')
  await link.press('Enter')
  await page.getByRole('heading', { name: 'Model', level: 1 }).waitFor()
  await pull(page, 'hf:someone/Tiny-GGUF')
  await page.getByRole('button', { name: 'Use: tiny-q8_0' }).click()
  await page.getByRole('button', { name: 'Use model' }).click()
  await row(page, 'tiny-q8_0').getByText('Serving').waitFor()
  // The file's own name comes before the name that it was pulled by.
  await expectModel('random (Q8_0)')
  await page.goto('/model')
  await page.getByRole('button', { name: 'Use: default' }).click()
  await page.getByRole('button', { name: 'Use model' }).click()
  await page.getByRole('button', { name: 'Remove: tiny-q8_0' }).click()
  await page.getByRole('button', { name: 'Remove model' }).click()
  await row(page, 'tiny-q8_0').waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
}, 180_000)

test('a pull shows a progress bar, can be cancelled and goes on; members can only look', async () => {
  hub.faults.push({ type: 'hold', afterBytes: 1_500_000 })
  const { page, faults, close } = await openModel(admin)
  await pull(page, 'hf:someone/Large-GGUF')
  const bar = page.getByRole('progressbar', { name: 'Download of large-q8_0' })
  await page.getByText(/^1\.5 MB of 3\.\d+ MB · \d\d/).waitFor()
  expect(Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(40)
  await expectAccessible(page)
  const member = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
  const other = await openModel(member, 360)
  await other.page.getByRole('progressbar', { name: 'Download of large-q8_0' }).waitFor()
  for (const name of [/^Cancel/, /^Use/, /^Remove/, 'Pull'])
    expect(await other.page.getByRole('main').getByRole('button', { name }).count()).toBe(0)
  await expectNoSidewaysScroll(other.page)
  await other.close()
  await page.getByRole('button', { name: 'Cancel: large-q8_0' }).click()
  await page.getByText('Paused').waitFor()
  await page.getByRole('button', { name: 'Resume: large-q8_0' }).click()
  await row(page, 'large-q8_0').waitFor()
  expect(hub.requests.at(-1)?.range).toBe('bytes=1500000-')
  expect(faults).toEqual([])
  await close()
}, 180_000)

test('Live and Model are at most three screens long, and show no image', async () => {
  for (const [width, height] of [
    [1280, 800],
    [360, 780],
  ] as const) {
    const { page, close } = await openPage(browser(), service, { ...admin, width, height })
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    for (const path of ['/live', '/model']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
      await page.getByText(/^fp_/).waitFor()
      await expectThreeScreensAtMost(page)
    }
    // The parser loads with the first section that is opened.
    await page.waitForLoadState('networkidle')
    expect(scripts.filter((url) => url.includes('rendered-markdown'))).toEqual([])
    for (const summary of await page.locator('summary').all()) await summary.click()
    await page.getByText('Rebuild or replace it').waitFor()
    await expect.poll(() => page.locator('details table').count()).toBeGreaterThan(0)
    expect(await page.getByText('loss.png').count()).toBe(0)
    await close()
  }
}, 180_000)
