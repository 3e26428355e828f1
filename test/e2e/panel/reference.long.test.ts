import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumMissing, openPage, useBrowser } from '../../support/panel/browser.ts'
import { signIn } from '../../support/panel/panel.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const browser = useBrowser()
let service: TestService
beforeAll(async () => {
  if (chromiumMissing) return
  service = await startTestService()
})
afterAll(() => service?.close())

test('by keyboard alone: search, open a result, choose a language, which stays on the next page', async () => {
  const { page, faults, close } = await openPage(browser(), service)
  await page.goto('/docs')
  await page.getByRole('searchbox', { name: 'Search the reference' }).focus()
  await page.keyboard.type('rate_limit_exceeded')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/errors#rate_limit_exceeded')
  await page.locator('#rate_limit_exceeded').getByText('What to do:').waitFor()
  await page.getByRole('link', { name: 'POST chat/completions', exact: true }).click()
  await page.getByRole('tab', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('region', { name: 'Request in TypeScript' }).getByText('fetch(').waitFor()
  await page.getByRole('link', { name: 'Streaming' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Stream in TypeScript' }).waitFor()
  expect(faults).toEqual([])
  await close()
}, 60_000)

test('an anchor of the former long page opens the page of today, and a field its details', async () => {
  const { page, faults, close } = await openPage(browser(), service)
  await page.goto('/docs#schema-Receipt')
  await page.waitForURL('**/docs/objects/Receipt')
  await page.goto('/docs/objects/Receipt#timing.queue_ms')
  await page.locator('[id="timing.queue_ms"]').waitFor()
  expect(faults).toEqual([])
  await close()
}, 60_000)

test('inside the shell: a new key is filled in until a reload, and a request is sent on a click only', async () => {
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  const sent: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/v1/')) sent.push(request.url())
  })
  await page.goto('/keys?dialog=create')
  await page.getByLabel('Name').fill('reference')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('Key for reference').waitFor()
  const key = await page.getByLabel('Key for reference').inputValue()
  await page.getByRole('button', { name: 'I’ve saved this key' }).click()
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.getByRole('region', { name: 'First request in curl' }).getByText(key).waitFor()
  await page.getByRole('link', { name: 'POST chat/completions', exact: true }).click()
  await page.getByText('Try it', { exact: true }).click()
  expect(
    await page
      .getByLabel(/^API key/)
      .first()
      .inputValue(),
  ).toBe(key)
  const field = page.getByLabel(/^API key/).first()
  await field.fill('sk-pipit-…abcd')
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByText('This is not a whole API key.').waitFor()
  await field.fill(key)
  expect(sent).toEqual([])
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByText(/^Status 200 in \d+ ms$/).waitFor()
  expect(sent).toHaveLength(1)
  await page.getByRole('region', { name: 'Reply' }).getByText('chat.completion').waitFor()
  // The navigation around the page stays.
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  await page.reload()
  await page.getByRole('region', { name: 'Request in curl' }).waitFor()
  expect(await page.content()).not.toContain(key)
  expect(faults).toEqual([])
  await close()
}, 60_000)
