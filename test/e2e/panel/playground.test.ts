import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  chromiumMissing,
  openPage,
  type PageOptions,
  useBrowser,
} from '../../support/panel/browser.ts'
import { admin, type Signed, signIn } from '../../support/panel/panel.ts'
import { newDataDir, startProcess } from '../../support/process.ts'
import { startTestService, type TestService } from '../../support/service.ts'

// Three processes with work: a browser, the service, the test.
vi.setConfig({ testTimeout: 120_000 })

const browser = useBrowser()
let service: TestService
let ada: Signed
beforeAll(async () => {
  if (chromiumMissing) return
  service = await startTestService({ environment: { PIPIT_SCRIPTED_TOKENS_PER_SECOND: '10' } })
  ada = await signIn(service)
})
afterAll(() => service?.close())

function eventually<T>(read: () => T) {
  return expect.poll(read, { timeout: 15_000 })
}

async function openPlayground(options: PageOptions = {}, path = '/playground') {
  const opened = await openPage(browser(), service, { cookie: ada.cookie, ...options })
  await opened.page.goto(path)
  await input(opened.page).waitFor()
  return opened
}
const input = (page: Page) => page.getByLabel('Your message')
const replyText = (page: Page, name = 'Reply') =>
  page.getByRole('region', { name, exact: true }).locator('[data-markdown]')
const send = async (page: Page, text: string) => {
  await input(page).fill(text)
  await input(page).press('Enter')
}
const replyEnds = (page: Page) => page.getByText('Finish reason', { exact: true }).waitFor()

test('a reply streams, Escape stops it, and what arrived stays over a reload with its receipt', async () => {
  const { page, faults, close } = await openPlayground()
  await send(page, 'Tell me of pipits')
  await eventually(() => replyText(page).textContent()).toMatch(/You said/)
  await page.keyboard.press('Escape')
  await page.getByText('Stopped. What arrived is kept.').waitFor()
  const text = await replyText(page).textContent()
  await page.reload()
  expect(await replyText(page).textContent()).toBe(text)
  expect(await page.getByLabel('Message 1, User').inputValue()).toBe('Tell me of pipits')
  const receipt = await page.getByRole('link', { name: /^req_/ }).textContent()
  await eventually(() =>
    service.ledgerRows().find((row) => row['request_id'] === receipt),
  ).toMatchObject({ state: 'final', outcome: 'client_abort', key_id: 'playground' })
  expect(faults).toEqual([])
  await close()
})

test('a conversation goes on with its reply, and every message can be changed, moved and taken back', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByLabel('System prompt').fill('Be brief.')
  await page.getByLabel('Longest reply').fill('3')
  await send(page, 'One')
  await replyEnds(page)
  const first = await replyText(page).textContent()
  await send(page, 'Two')
  await replyEnds(page)
  const messages = () =>
    page
      .getByRole('textbox', { name: /^Message \d/ })
      .evaluateAll((all) => all.map((field) => String(Reflect.get(field, 'value')).trim()))
  expect(await messages()).toEqual(['One', first?.trim(), 'Two'])
  await page.getByRole('button', { name: 'Move message 3 up' }).click()
  await page.getByRole('button', { name: 'Remove message 1' }).click()
  expect(await messages()).toEqual(['Two', first?.trim()])
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(await messages()).toEqual(['One', 'Two', first?.trim()])
  await page.getByLabel('Role of message 2').selectOption('system')
  await page.getByLabel('Message 2, System').fill('Two and a half')
  await page.getByRole('button', { name: 'Code' }).click()
  await page.getByText('"content": "Two and a half"').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('Enter while a character is being composed sends nothing', async () => {
  const { page, close } = await openPlayground()
  await input(page).fill('にほん')
  await input(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  await input(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })
  expect(await input(page).inputValue()).toBe('にほん')
  await input(page).press('Enter')
  await eventually(() => input(page).inputValue()).toBe('')
  await close()
})

test('the draft is counted, and what is wrong with a setting is said before anything is sent', async () => {
  const { page, faults, close } = await openPlayground()
  await input(page).fill('Hello')
  await page.getByText(/^\d+ tokens, room for [\d,]+ more of 4,096$/).waitFor()
  await page.getByLabel('Temperature').fill('1.5')
  await page.getByText('Temperature must be a number from 0 to 1.').waitFor()
  await input(page).press('Enter')
  await page.getByText('Correct the settings first: Temperature').waitFor()
  expect(await input(page).inputValue()).toBe('Hello')
  expect(faults).toEqual([])
  await close()
})

test('a schema is led to its fault, refused in the words of the service, and held against the reply', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByLabel('Form of the reply').selectOption('json_schema')
  const schema = page.getByLabel('JSON Schema')
  await schema.fill('{"type": "object",}')
  await page
    .getByText('Not JSON at line 1, column 19: a name in double quotes should be here, not }')
    .waitFor()
  await page.getByRole('button', { name: 'Show the place' }).click()
  expect(await schema.evaluate((field) => Reflect.get(field, 'selectionStart'))).toBe(18)
  await schema.fill('{"type": "object", "if": {}}')
  await input(page).fill('Go')
  const settings = page.getByRole('region', { name: 'Settings' })
  await settings.getByText(/response_format\.json_schema\.schema\.if|`if`/).waitFor()
  await schema.fill(
    '{"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}',
  )
  await input(page).press('Enter')
  await page.getByText('Checked: it fulfils the schema.').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('two settings are compared side by side, and a link brings both and nothing that was said', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByLabel('Longest reply').fill('4')
  await page.getByRole('switch', { name: 'Compare two settings' }).check()
  await page.getByRole('tab', { name: 'Settings B' }).click()
  await page.getByLabel('Longest reply').fill('8')
  await send(page, 'a secret question')
  await page.getByText('Finish reason', { exact: true }).nth(1).waitFor()
  const lengthOf = async (name: string) => (await replyText(page, name).textContent())?.length ?? 0
  expect(await lengthOf('Reply B')).toBeGreaterThan(await lengthOf('Reply A'))
  await page.getByLabel('Go on with B').check()
  await page.getByRole('button', { name: 'Edit the reply' }).click()
  await page.getByLabel('Message 2, Assistant').waitFor()
  await page.getByRole('button', { name: 'Share settings' }).click()
  const link = await page.getByLabel('Link').inputValue()
  expect(new URL(link).hash).toBe('#max_tokens=4&compare=1&b.max_tokens=8')
  await close()

  const other = await openPlayground({}, link)
  await other.page.getByText('The settings are now those of the link.').waitFor()
  expect(new URL(other.page.url()).hash).toBe('')
  expect(await other.page.getByLabel('Longest reply').inputValue()).toBe('4')
  await other.page.getByRole('tab', { name: 'Settings B' }).click()
  expect(await other.page.getByLabel('Longest reply').inputValue()).toBe('8')
  expect([...faults, ...other.faults]).toEqual([])
  await other.close()
})

test('where the session has ended nothing typed is lost, and the request goes on after the sign-in', async () => {
  const opened = await openPage(browser(), service)
  const { page, faults, close } = opened
  const again = await signIn(service)
  await page.context().addCookies(
    again.cookie.split('; ').map((one) => {
      const end = one.indexOf('=')
      return { name: one.slice(0, end), value: one.slice(end + 1), url: service.url }
    }),
  )
  await page.goto('/playground')
  await input(page).waitFor()
  await again.post('/auth/sign-out')
  await send(page, 'Where was I')
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.getByLabel('Message 1, User').inputValue()).toBe('Where was I')
  await page.getByRole('button', { name: 'Try again' }).click()
  await replyEnds(page)
  expect(await replyText(page).textContent()).toContain('Where was I')
  expect(faults).toEqual([])
  await close()
})

test('a service that dies in mid-stream leaves what arrived, says so, and the retry works when it is back', async () => {
  const environment = { PIPIT_ENGINE: 'scripted', PIPIT_SCRIPTED_TOKENS_PER_SECOND: '5' }
  const dataDir = newDataDir()
  const first = await startProcess(environment, dataDir)
  onTestFinished(() => first.dispose())
  const setUpUrl = /(http\S+\/setup#\S+)/.exec(first.stdout)?.[1]
  const signed = await signIn({ ...service, url: first.url, setUpUrl })
  const { page, close } = await openPage(browser(), first, { cookie: signed.cookie })
  await page.goto('/playground')
  await send(page, 'Hold on')
  await eventually(() => replyText(page).textContent()).toMatch(/You/)
  await first.kill('SIGKILL')
  await page.getByText(/What arrived is kept; try again/).waitFor()
  expect(await replyText(page).textContent()).toMatch(/You/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').getByText('The service cannot be reached.').waitFor()
  const second = await startProcess(
    { ...environment, PIPIT_PORT: new URL(first.url).port },
    dataDir,
  )
  onTestFinished(() => second.dispose())
  await page.getByRole('button', { name: 'Try again' }).click()
  await replyEnds(page)
  expect(await replyText(page).textContent()).toContain('Hold on')
  await close()
})
