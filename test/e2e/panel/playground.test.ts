import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  chromiumMissing,
  openPage,
  type PageOptions,
  useBrowser,
} from '../../support/panel/browser.ts'
import { admin, type Signed, signIn } from '../../support/panel/panel.ts'
import { formatDuration, formatTokensPerSecond } from '../../../panel/src/format/format.ts'
import type { Receipt } from '../../../src/protocol/receipt.ts'
import { Relay } from '../../support/http/relay.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { newDataDir, startProcess } from '../../support/process.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { startTestService, type TestService } from '../../support/service.ts'

// The browser, the service and the test share the machine, so allow time.
vi.setConfig({ testTimeout: 120_000 })

const browser = useBrowser()
const gate = new ReplyGate({ marker: 'HOLD', afterTokens: 3 })
let service: TestService
let ada: Signed
beforeAll(async () => {
  if (chromiumMissing) return
  service = await startTestService({ engine: scriptedEngine({ gate: gate.gate }) })
  ada = await signIn(service)
})
afterAll(() => service?.close())

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

test('a reply streams, Escape stops it, and the partial reply and its receipt survive a reload', async () => {
  const { page, faults, close } = await openPlayground()
  await send(page, 'HOLD on')
  await expect.poll(() => replyText(page).textContent()).toMatch(/You said/)
  expect(gate.held).toBe(1)
  // Escape closes an open dialog, and does not stop the reply as well.
  await page.getByRole('button', { name: 'Code' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Stop/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Stopped. The partial reply is kept.').waitFor()
  gate.release()
  const text = await replyText(page).textContent()
  await page.reload()
  expect(await replyText(page).textContent()).toBe(text)
  expect(await page.getByLabel('Message 1, User').inputValue()).toBe('HOLD on')
  const receipt = await page.getByRole('link', { name: /^req_/ }).textContent()
  await expect
    .poll(() => service.ledgerRows().find((row) => row['request_id'] === receipt))
    .toMatchObject({ state: 'final', outcome: 'client_abort', key_id: 'playground' })
  expect(faults).toEqual([])
  await close()
})

test('a conversation continues with its reply, and every message can be edited, moved and removed', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByLabel('System prompt').fill('Be brief.')
  await page.getByLabel('Max tokens').fill('3')
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

test('code is shown only for a request that can be sent', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByRole('button', { name: 'Code' }).click()
  await page.getByRole('alert', { name: 'No code yet' }).getByText('Enter a message.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Your message').fill('Hello')
  await page.getByRole('button', { name: 'Code' }).click()
  await page.getByText('"content": "Hello"').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('instead of code, each wrong setting of the request is named, but none of a compared one', async () => {
  const { page, faults, close } = await openPlayground()
  const code = page.getByRole('button', { name: 'Code' })
  const alert = page.getByRole('alert', { name: 'No code yet' })
  await input(page).fill('Hello')
  await page.getByLabel('Temperature').fill('1.5')
  await page.getByLabel('Response format').selectOption('json_schema')
  await page.getByLabel('JSON schema').fill('{"a":}')
  await code.click()
  await alert.getByText('Fix these settings:').waitFor()
  expect(await alert.getByRole('listitem').allInnerTexts()).toEqual([
    'Temperature must be a number from 0 to 1.',
    'JSON schema: Invalid JSON at line 1, column 6: expected a value, found }',
  ])
  await page.keyboard.press('Escape')
  await page.getByLabel('Temperature').fill('0.5')
  await page.getByLabel('Response format').selectOption('text')
  await code.click()
  await page.getByText('"temperature": 0.5').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Compare two settings' }).check()
  await page.getByRole('tab', { name: 'Settings B' }).click()
  await page.getByLabel('Temperature').fill('warm')
  await code.click()
  await alert.getByText('Fix settings B:').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Settings A' }).click()
  await code.click()
  await page.getByText('"temperature": 0.5').waitFor()
  await page.keyboard.press('Escape')
  await input(page).press('Enter')
  await page.getByText('Fix settings B: Temperature must be a number').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('Enter during IME composition sends nothing', async () => {
  const { page, close } = await openPlayground()
  await input(page).fill('にほん')
  await input(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  await input(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })
  expect(await input(page).inputValue()).toBe('にほん')
  await input(page).press('Enter')
  await expect.poll(() => input(page).inputValue()).toBe('')
  await close()
})

test('the draft’s tokens are counted, and an invalid setting is reported before sending', async () => {
  const { page, faults, close } = await openPlayground()
  await input(page).fill('Hello')
  await page.getByText(/^\d+ tokens, [\d,]+ of 4,096 left$/).waitFor()
  await page.getByLabel('Temperature').fill('1.5')
  await page.getByText('Temperature must be a number from 0 to 1.').waitFor()
  await input(page).press('Enter')
  await page.getByText('Fix these settings: Temperature').waitFor()
  expect(await input(page).inputValue()).toBe('Hello')
  expect(faults).toEqual([])
  await close()
})

test('JSON schema starts with a template that can be sent as it is', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByLabel('Response format').selectOption('json_schema')
  const schema = page.getByLabel('JSON schema')
  expect(JSON.parse(await schema.inputValue())).toMatchObject({ type: 'object' })
  expect(await schema.getAttribute('aria-invalid')).not.toBe('true')
  await schema.fill('{"type": "boolean"}')
  await page.getByLabel('Response format').selectOption('text')
  await page.getByLabel('Response format').selectOption('json_schema')
  expect(await schema.inputValue()).toBe('{"type": "boolean"}')
  await send(page, 'Go')
  await page.getByText('Matches the schema').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('the times and the speed of a reply are those of its receipt', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByLabel('Max tokens').fill('5')
  await send(page, 'HOLD on')
  await expect.poll(() => replyText(page).textContent()).toMatch(/You said/)
  gate.release()
  await replyEnds(page)
  const id = (await page.getByRole('link', { name: /^req_/ }).textContent()) ?? ''
  const receipt = (await (await ada.get(`/requests/${id}`)).json()) as Receipt
  const { queue_ms: queueMs, prefill_ms: prefillMs, decode_ms: decodeMs } = receipt.timing
  const speed = (1000 * 5) / (decodeMs ?? 0)
  const figure = (name: string) =>
    page.getByText(name, { exact: true }).locator('xpath=following-sibling::dd').textContent()
  await expect.poll(() => figure('Speed')).toBe(formatTokensPerSecond(speed))
  expect(await figure('First token')).toBe(formatDuration((queueMs ?? 0) + (prefillMs ?? 0)))
  expect(faults).toEqual([])
  await close()
})

test('the page follows a long reply until the reader scrolls up, and Stop stays in view', async () => {
  const steps = new ReplyGate({ afterTokens: [600, 900, 1200] })
  const own = await startTestService({
    engine: scriptedEngine({ gate: steps.gate, reply: () => 'word '.repeat(2000) }),
  })
  onTestFinished(() => own.close())
  const { cookie } = await signIn(own)
  const { page, faults, close } = await openPage(browser(), own, { cookie, height: 500 })
  await page.goto('/playground')
  await page.getByLabel('Max tokens').fill('2000')
  await send(page, 'Go on')
  const stop = page.getByRole('button', { name: 'Stop' })
  const scrollTop = (): Promise<number> => page.evaluate('window.scrollY')
  const pxBelow = (): Promise<number> =>
    page.evaluate('document.documentElement.scrollHeight - window.innerHeight - window.scrollY')
  await expect.poll(scrollTop).toBeGreaterThan(300)
  expect(await isInWindow(page, 'Stop')).toBe(true)
  const words = async () => (await replyText(page).textContent())?.split(' ').length
  await expect.poll(words).toBeGreaterThanOrEqual(600)
  const growingAt = await scrollTop()
  steps.release()
  await expect.poll(scrollTop).toBeGreaterThan(growingAt)
  await expect.poll(words).toBeGreaterThanOrEqual(900)
  await page.mouse.move(300, 200)
  await expect.poll(pxBelow).toBeLessThan(100)
  const longAt = await scrollTop()
  await page.mouse.wheel(0, -300)
  await expect.poll(scrollTop).toBeLessThanOrEqual(longAt - 300)
  const readAt = await scrollTop()
  steps.release()
  await expect.poll(words).toBeGreaterThanOrEqual(1200)
  expect(await scrollTop()).toBe(readAt)
  expect(await isInWindow(page, 'Stop')).toBe(true)
  await page.keyboard.press('Escape')
  await stop.waitFor({ state: 'detached' })
  await page.getByText('Stopped. The partial reply is kept.').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a schema error can be selected, the service’s error is shown, and the reply is checked', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByLabel('Response format').selectOption('json_schema')
  const schema = page.getByLabel('JSON schema')
  await schema.fill('{"type": "object",}')
  await page
    .getByText(
      'Invalid JSON at line 1, column 19: expected a property name in double quotes, found }',
    )
    .waitFor()
  await page.getByRole('button', { name: 'Go to error' }).click()
  expect(await schema.evaluate((field) => Reflect.get(field, 'selectionStart'))).toBe(18)
  await schema.fill(String.raw`{"type": "string", "pattern": "(a)\\1"}`)
  await input(page).fill('Go')
  const settings = page.getByRole('region', { name: 'Settings' })
  await settings.getByText(/response_format\.json_schema\.schema\.pattern|`pattern`/).waitFor()
  await schema.fill(
    '{"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}',
  )
  await input(page).press('Enter')
  await page.getByText('Matches the schema').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a failed reply can be tried again once the other one has ended', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByRole('switch', { name: 'Compare two settings' }).check()
  await page.getByRole('tab', { name: 'Settings B' }).click()
  await page.getByLabel('Max tokens').fill('8')
  const error = { message: 'Too many.', type: 'rate_limit_error', param: null, code: 'overloaded' }
  await page.route('**/chat/completions', (route) =>
    route.request().postData()?.includes('"max_tokens":8') === true
      ? route.fulfill({
          status: 429,
          contentType: 'application/json',
          body: JSON.stringify({ error }),
        })
      : route.continue(),
  )
  await send(page, 'HOLD on')
  await page.getByRole('alert', { name: 'Reply failed' }).waitFor()
  await expect.poll(() => gate.held).toBe(1)
  const retry = page.getByRole('button', { name: 'Try again' })
  expect(await retry.count()).toBe(0)
  gate.release()
  await retry.waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a refused reply links to its receipt', async () => {
  const { page, faults, close } = await openPlayground()
  await send(page, 'word '.repeat(9_000))
  await page.getByRole('alert', { name: 'Reply failed' }).waitFor()
  await page.getByRole('link', { name: /^req_/ }).click()
  await page.getByText('context_length_exceeded').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('two settings are compared side by side, and a link shares both without any messages', async () => {
  const { page, faults, close } = await openPlayground()
  await page.getByLabel('Max tokens').fill('4')
  await page.getByRole('switch', { name: 'Compare two settings' }).check()
  await page.getByRole('tab', { name: 'Settings B' }).click()
  await page.getByLabel('Max tokens').fill('8')
  await send(page, 'a secret question')
  await page.getByText('Finish reason', { exact: true }).nth(1).waitFor()
  const lengthOf = async (name: string) => (await replyText(page, name).textContent())?.length ?? 0
  expect(await lengthOf('Reply B')).toBeGreaterThan(await lengthOf('Reply A'))
  await page.getByLabel('Continue with B').check()
  await page.getByRole('button', { name: 'Edit reply' }).click()
  await page.getByLabel('Message 2, Assistant').waitFor()
  await page.getByRole('button', { name: 'Share settings' }).click()
  const link = await page.getByLabel('Link').inputValue()
  expect(new URL(link).hash).toBe('#max_tokens=4&compare=1&b.max_tokens=8')
  await close()

  const other = await openPlayground({}, link)
  await other.page.getByText('Settings loaded from the link.').waitFor()
  expect(new URL(other.page.url()).hash).toBe('')
  expect(await other.page.getByLabel('Max tokens').inputValue()).toBe('4')
  await other.page.getByRole('tab', { name: 'Settings B' }).click()
  expect(await other.page.getByLabel('Max tokens').inputValue()).toBe('8')
  expect([...faults, ...other.faults]).toEqual([])
  await other.close()
})

test('after the session has ended, typed text is kept and the request succeeds after a new sign-in', async () => {
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

test('a service that dies during a stream leaves the partial reply, and a retry works after its restart', async () => {
  const dataDir = newDataDir()
  // Replies of this service take ten seconds or more.
  const slow = { PIPIT_ENGINE: 'scripted', PIPIT_SCRIPTED_TOKENS_PER_SECOND: '1' }
  const first = await startProcess(slow, dataDir)
  onTestFinished(() => first.dispose())
  const relay = await Relay.start(first)
  onTestFinished(() => relay.close())
  const setUpUrl = /(http\S+\/setup#\S+)/.exec(first.stdout)?.[1]
  const signed = await signIn({ ...service, url: first.url, setUpUrl })
  const { page, close } = await openPage(browser(), relay, { cookie: signed.cookie })
  await page.goto('/playground')
  await send(page, 'Hold on')
  await expect.poll(() => replyText(page).textContent()).toMatch(/You/)
  await first.kill('SIGKILL')
  await page.getByText(/The partial reply is kept\. Try again/).waitFor()
  expect(await replyText(page).textContent()).toMatch(/You/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').getByText('The service cannot be reached.').waitFor()
  const second = await startProcess({ PIPIT_ENGINE: 'scripted' }, dataDir)
  onTestFinished(() => second.dispose())
  relay.passTo(second)
  await page.getByRole('button', { name: 'Try again' }).click()
  await replyEnds(page)
  expect(await replyText(page).textContent()).toContain('Hold on')
  await close()
})

/** Returns whether the whole button is in the window. */
async function isInWindow(page: Page, name: string): Promise<boolean> {
  const box = await page.getByRole('button', { name }).boundingBox()
  const height = page.viewportSize()?.height ?? 0
  return box !== null && box.y >= 0 && box.y + box.height <= height
}
