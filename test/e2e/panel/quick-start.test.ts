import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PanelKeyList } from '../../../src/protocol/panel-keys.ts'
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

test('the steps show the chosen key’s name and the base URL, but no key; without keys they offer to create one', async () => {
  const ada = await signIn(service)
  await ada.post('/keys', { name: "it's <b>mine</b>" })
  const { page, faults, close } = await openPage(browser(), service, { cookie: ada.cookie })
  await page.goto('/quick-start')
  await page.getByLabel('Key').selectOption("it's <b>mine</b>")
  await page
    .getByText(`export PIPIT_API_KEY='paste the key for it'\\''s <b>mine</b> here'`)
    .waitFor()
  await page.reload()
  expect(await page.getByLabel('Key').locator('option:checked').innerText()).toBe(
    "it's <b>mine</b>",
  )
  await page.getByRole('region', { name: 'Base URL' }).getByText(`${service.url}/v1`).waitFor()
  for (const language of ['curl', 'Python', 'TypeScript', 'Go', 'Java', 'C#', 'PHP']) {
    await page.getByRole('tab', { name: language }).click()
    const code = await page.getByRole('region', { name: `${language} code` }).innerText()
    expect(code).toContain(service.url)
    expect(code).toContain('PIPIT_API_KEY')
  }
  expect(await page.content()).not.toContain('sk-pipit-')

  const { data } = (await (await ada.get('/keys?state=active')).json()) as PanelKeyList
  for (const { id } of data) await ada.post(`/keys/${id}/revoke`)
  await page.reload()
  await page.getByText('No active API keys').waitFor()
  await page.getByRole('link', { name: 'Create key' }).click()
  await page.getByRole('dialog', { name: 'Create key' }).waitFor()
  expect(faults).toEqual([])
  await close()
}, 60_000)
