import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  chromiumMissing,
  expectAccessible,
  expectNoSidewaysScroll,
  openPage,
  useBrowser,
} from '../../support/panel/browser.ts'
import { type Signed, signIn } from '../../support/panel/panel.ts'
import { startTestService, type TestService } from '../../support/service.ts'

// The browser, the service and the test share the machine, so allow time.
vi.setConfig({ testTimeout: 120_000 })

const browser = useBrowser()
let service: TestService
let ada: Signed
beforeAll(async () => {
  if (chromiumMissing) return
  service = await startTestService()
  ada = await signIn(service)
})
afterAll(() => service?.close())

async function openPlayground() {
  const opened = await openPage(browser(), service, { cookie: ada.cookie })
  await opened.page.goto('/playground')
  await input(opened.page).waitFor()
  return opened
}
const input = (page: Page) => page.getByLabel('Your message')
const replyEnds = (page: Page) => page.getByText('Finish reason', { exact: true }).waitFor()

test('a prompt is chosen by keyboard, brings the schema it needs, and the chips go with the first message', async () => {
  const { page, faults, close } = await openPlayground()
  const chips = page.getByRole('group', { name: 'Try a prompt' })
  await chips.getByRole('button', { name: 'Extract' }).press('Enter')
  expect(await input(page).inputValue()).toContain('Maria')
  expect(await page.getByLabel('JSON schema').inputValue()).toContain('Tuesday')
  await chips.getByRole('button', { name: 'Answer' }).press('Enter')
  expect(await page.getByLabel('Response format').inputValue()).toBe('text')
  await page.keyboard.press('Enter')
  await replyEnds(page)
  expect(await chips.count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test('advanced settings are closed until they are used, and token probabilities are colours', async () => {
  const { page, faults, close } = await openPlayground()
  const topP = page.getByLabel('Top P')
  expect(await topP.isVisible()).toBe(false)
  await page.getByText('Advanced settings').press('Enter')
  await topP.fill('0.9')
  await page.reload()
  await topP.waitFor()
  await page.getByRole('switch', { name: 'Token probabilities' }).check()
  await page.getByLabel('Max tokens').fill('6')
  await input(page).fill('Hello')
  await input(page).press('Enter')
  await replyEnds(page)
  const tokens = page.getByRole('region', { name: 'Reply', exact: true }).locator('p > [title]')
  await tokens.first().waitFor()
  expect(await tokens.first().getAttribute('title')).toMatch(/%$/)
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScroll(page)
  expect(faults).toEqual([])
  await close()
})

test('a reply is kept beside the next one, with its fingerprint, until it is removed', async () => {
  const { page, faults, close } = await openPlayground()
  await input(page).fill('Hello')
  await input(page).press('Enter')
  await replyEnds(page)
  await page.getByText('Fingerprint', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Keep to compare' }).click()
  await page.getByText('Kept. Change the settings or the model').waitFor()
  await page.getByLabel('Max tokens').fill('2')
  await page.getByRole('button', { name: 'Regenerate' }).click()
  const kept = page.getByRole('region', { name: /^Kept reply/ })
  await kept.getByText('Finished (stop)').waitFor()
  const reply = page.getByRole('region', { name: 'Reply', exact: true })
  await reply.getByText('Cut off (length)').waitFor()
  expect(await kept.getByText(/^fp_/).textContent()).toBe(
    await reply.getByText(/^fp_/).textContent(),
  )
  await page.getByText('Same fingerprint: the same model gave both replies.').waitFor()
  await expectAccessible(page)
  await page.reload()
  await kept.getByText('Finished (stop)').waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScroll(page)
  await kept.getByRole('button', { name: 'Remove kept reply' }).click()
  await kept.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('a tool is defined, its call is shown, and the typed result goes back to the model', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByText('Tools', { exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Add an example tool' }).click()
  await page.getByLabel('Tool choice').selectOption('required')
  await input(page).fill('Is it warm in Rome?')
  await input(page).press('Enter')
  const result = page.getByLabel('Result of get_weather')
  await result.waitFor()
  await page.getByRole('list', { name: 'Tool calls' }).getByText('"city"').waitFor()
  await result.fill('{"celsius": 31}')
  await page.getByLabel('Tool choice').selectOption('none')
  await page.getByRole('button', { name: 'Send result' }).press('Enter')
  await page.getByLabel('Message 3, Tool').waitFor()
  await replyEnds(page)
  expect(await page.getByLabel('Message 3, Tool').inputValue()).toBe('{"celsius": 31}')
  await page.reload()
  await page.getByLabel('Message 3, Tool').waitFor()
  await page.getByRole('button', { name: 'Code' }).click()
  const code = page.getByRole('region', { name: 'curl code' })
  await code.getByText('"tool_call_id"').waitFor()
  expect(await code.innerText()).toContain('"tool_choice": "none"')
  expect(faults).toEqual([])
  await close()
})

test('a simple schema is built in a form, and any other one as JSON', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByLabel('Response format').selectOption('json_schema')
  await page.getByLabel('Schema template').selectOption('Sentiment')
  await page.getByRole('button', { name: 'Add field' }).press('Enter')
  const name = page.getByLabel('Name of field 2')
  await name.fill('sentiment')
  await page.getByText('Another field has this name.').waitFor()
  await name.press('End')
  await name.pressSequentially('_score')
  expect(await name.inputValue()).toBe('sentiment_score')
  await name.fill('')
  await name.pressSequentially('2')
  await page.getByText('A name cannot be a whole number.').waitFor()
  await name.pressSequentially('nd_score')
  expect(await name.inputValue()).toBe('2nd_score')
  await page.getByLabel('Type of field 2').selectOption('integer')
  await page.getByLabel('Values of field 1').fill('good, bad')
  const schema = page.getByLabel('JSON schema')
  expect(JSON.parse(await schema.inputValue())).toEqual({
    type: 'object',
    properties: { sentiment: { enum: ['good', 'bad'] }, '2nd_score': { type: 'integer' } },
    required: ['sentiment', '2nd_score'],
    additionalProperties: false,
  })
  await input(page).fill('Go')
  await input(page).press('Enter')
  await page.getByText('Matches the schema').waitFor()
  await schema.fill('{"type": "array", "items": {"type": "string"}}')
  await page.getByRole('group', { name: 'Fields' }).waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('a schema with a pattern that the browser cannot read neither hides the reply nor breaks the page', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByLabel('Response format').selectOption('json_schema')
  const schema = page.getByLabel('JSON schema')
  await schema.fill(JSON.stringify({ type: 'string', pattern: '^\\d{3}\\-\\d{4}$' }))
  await input(page).fill('Go')
  await input(page).press('Enter')
  const verdict = page.getByText('The browser cannot check this schema.')
  await verdict.waitFor()
  await page.reload()
  await verdict.waitFor()
  await schema.fill(JSON.stringify({ type: 'string', pattern: '\\d{3}' }))
  await page.getByText('Matches the schema').waitFor()
  await schema.fill(JSON.stringify({ type: 'string', pattern: '[' }))
  await verdict.waitFor()
  expect(faults).toEqual([])
  await close()
})

test('Max tokens has the maximum of a service with PIPIT_MAX_TOKENS', async () => {
  const own = await startTestService({ environment: { PIPIT_MAX_TOKENS: '8192' } })
  onTestFinished(() => own.close())
  const { cookie } = await signIn(own)
  const { page, faults, close } = await openPage(browser(), own, { cookie })
  await page.goto('/playground')
  await page.getByPlaceholder('8192').waitFor()
  await page.getByLabel('Max tokens').fill('3000')
  await input(page).fill('Hello')
  await input(page).press('Enter')
  await replyEnds(page)
  expect(faults).toEqual([])
  await close()
})

test('conversations are kept only after the user turns it on, can be opened, and are erased by turning it off', async () => {
  const { page, faults, close } = await openPlayground()
  const kept = (): Promise<string | null> =>
    page.evaluate(
      "Object.entries(localStorage).find(([name]) => name.startsWith('pipit.playground.history.'))?.[1] ?? null",
    )
  const ask = async (text: string, number = 1) => {
    await input(page).fill(text)
    await input(page).press('Enter')
    await page.getByLabel(`Message ${number}, User`).waitFor()
    await replyEnds(page)
  }
  await ask('A private question')
  expect(await kept()).toBeNull()
  await page.getByRole('button', { name: 'History' }).click()
  const dialog = page.getByRole('dialog', { name: 'History' })
  const on = dialog.getByRole('switch', { name: 'Keep conversations in this browser' })
  await on.press('Space')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear' }).click()
  await ask('A kept question')
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('button', { name: 'History' }).click()
  await dialog.getByRole('button', { name: 'Open: A kept question' }).press('Enter')
  expect(await page.getByLabel('Message 1, User').inputValue()).toBe('A kept question')
  await page.getByRole('button', { name: 'Clear' }).click()
  await ask('Another question')
  await page.getByRole('button', { name: 'History' }).click()
  await dialog.getByRole('button', { name: 'Open: A kept question' }).press('Enter')
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await ask('And one more', 3)
  await page.getByRole('button', { name: 'History' }).click()
  await dialog.getByRole('button', { name: 'Open: A kept question' }).waitFor()
  expect(await dialog.getByRole('button', { name: /^Open: / }).count()).toBe(2)
  await on.press('Space')
  expect(await kept()).toBeNull()
  expect(faults).toEqual([])
  await close()
})

test('a prompt that replaces typed text, and an edit that drops a reply, can be undone', async () => {
  const { page, faults, close } = await openPlayground()
  await input(page).fill('My own words')
  await page.getByRole('group', { name: 'Try a prompt' }).getByRole('button').first().click()
  await page.getByText('Prompt inserted.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(await input(page).inputValue()).toBe('My own words')
  await page.getByRole('switch', { name: 'Compare two settings' }).press('Space')
  await input(page).press('Enter')
  await page.getByText('Finish reason', { exact: true }).nth(1).waitFor()
  await page.getByRole('button', { name: 'Edit reply' }).click()
  await page.getByText('Other replies removed.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByLabel('Continue with B').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('Undo is offered until what it would restore is edited', async () => {
  const { page, faults, close } = await openPlayground()
  await input(page).fill('Hello')
  await input(page).press('Enter')
  await replyEnds(page)
  await page.getByRole('button', { name: 'Edit reply' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await page.getByRole('button', { name: 'Remove message 2' }).click()
  await page.getByLabel('Max tokens').fill('3')
  await undo.waitFor()
  await page.getByLabel('Message 1, User').fill('Good evening')
  await undo.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})
