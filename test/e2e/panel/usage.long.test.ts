import type { Locator } from 'playwright-core'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { PanelUsage } from '../../../src/protocol/panel-usage.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { openPage, useBrowser } from '../../support/panel/browser.ts'
import { signIn } from '../../support/panel/panel.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

vi.setConfig({ testTimeout: 60_000 })

const browser = useBrowser()
let service: TestService
beforeEach(async () => {
  service = await startTestService()
  return () => service.close()
})

const becomes = async (rows: Locator, count: number) => {
  await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(count)
}

/** Exceeds a context window of 4,096 tokens. */
const tooLong = {
  ...question,
  messages: [{ role: 'user', content: 'a pipit sings '.repeat(5_000) }],
}

test('the usage page shows a request’s tokens in totals, charts, tables and the CSV file', async () => {
  const reply = await service.post(question)
  const { usage } = (await reply.json()) as {
    usage: { prompt_tokens: number; completion_tokens: number }
  }
  await service.post(tooLong)
  const { cookie } = await signIn(service)
  const { page, context, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/usage?range=today')
  const total = (name: string) =>
    page
      .locator('dl > div', { has: page.getByText(name, { exact: true }) })
      .first()
      .locator('dd')
  await total('Requests').waitFor()
  expect(await total('Requests').innerText()).toBe('2')
  expect(await total('Errors').innerText()).toBe('1\n50% of requests')
  expect(await total('Completion tokens').innerText()).toBe(String(usage.completion_tokens))

  const chart = page.getByRole('slider', { name: /^Tokens by hour/ })
  await chart.focus()
  await page.keyboard.press('End')
  expect(await chart.getAttribute('aria-valuetext')).toContain(
    `Completion ${usage.completion_tokens}`,
  )

  expect(await total('Rejected').innerText()).toBe('1\n100% of errors')
  expect(await total('First token p50').innerText()).toContain('p95')
  const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts()
  expect(headings.indexOf('By key')).toBeLessThan(headings.indexOf('By hour'))
  const row = page.getByRole('table', { name: 'By key' }).getByRole('row', { name: /^first key/ })
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(
    expect.arrayContaining(['2', '1', String(usage.completion_tokens)]),
  )
  const errors = page.getByRole('region', { name: 'Errors by code' })
  await errors.getByRole('listitem').filter({ hasText: 'context_length_exceeded' }).waitFor()
  await row.getByRole('link').click()
  await page.waitForURL(/key=/)
  const key = new URL(page.url()).searchParams.get('key')
  const link = errors.getByRole('link', { name: 'context_length_exceeded' })
  await expect
    .poll(() => link.getAttribute('href'))
    .toBe(`/requests?range=today&key=${key}&error=context_length_exceeded`)

  const href = await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href')
  const csv = await context.request.get(href ?? '')
  expect(csv.headers()['content-type']).toContain('text/csv')
  expect(await csv.text()).toContain(`,${usage.completion_tokens},`)
  expect(faults).toEqual([])
  await close()
})

test('the usage page counts the keys that it leaves out', async () => {
  await service.post(question)
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  let leftOut = 1
  await page.route('**/panel/api/usage?*', async (route) => {
    const response = await route.fetch()
    const usage = (await response.json()) as PanelUsage
    await route.fulfill({ response, json: { ...usage, keys_left_out: leftOut } })
  })
  await page.goto('/usage?range=today')
  await page.getByText('1 more key with fewer tokens is not shown.', { exact: true }).waitFor()
  leftOut = 2
  await page.reload()
  await page.getByText('2 more keys with fewer tokens are not shown.', { exact: true }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('an invalid date range has a message, and an empty one says what to do', async () => {
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/usage?range=custom&from=2026-11-02&to=2026-11-01')
  await page.getByText('Invalid date range').waitFor()
  await page.getByLabel('End date').fill('2026-11-03')
  await page.keyboard.press('Enter')
  await page.waitForURL(/to=2026-11-03/)
  await page.getByText('No requests in this time range').waitFor()
  await page.getByRole('link', { name: 'Make your first request' }).click()
  await page.waitForURL('/quick-start')
  expect(faults).toEqual([])
  await close()
})

test('the second date is typed right after the first one', async () => {
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/usage?range=custom&from=2026-11-02&to=2026-11-04')
  await page.getByLabel('Start date').fill('2026-11-03')
  await page.getByLabel('End date').focus()
  await page.waitForURL(/from=2026-11-03/)
  const focused = page.locator('input:focus')
  expect(await focused.inputValue()).toBe('2026-11-04')
  await focused.fill('2026-11-05')
  await focused.press('Enter')
  await page.waitForURL(/from=2026-11-03&to=2026-11-05/)
  await page.goBack()
  await page.goBack()
  await expect.poll(() => page.getByLabel('Start date').inputValue()).toBe('2026-11-02')
  expect(await page.getByLabel('End date').inputValue()).toBe('2026-11-04')
  expect(faults).toEqual([])
  await close()
})

test('after the hour, the usage page asks for the next one, and the log keeps its rows', async () => {
  await service.post(question)
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  const asked: URLSearchParams[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/api\/(usage|requests)$/.test(url.pathname)) asked.push(url.searchParams)
  })
  const hourMs = 3_600_000
  // Half an hour before a full hour at midday, so that no day ends.
  const noonMs = new Date(2026, 10, 28, 12).getTime()
  await page.clock.install({ time: noonMs - hourMs / 2 })
  await page.goto('/usage?range=7d')
  await expect.poll(() => asked.at(-1)?.get('to_ms')).toBe(String(noonMs))
  await page.clock.runFor(hourMs)
  await expect.poll(() => asked.at(-1)?.get('to_ms')).toBe(String(noonMs + hourMs))
  await page.goto('/requests?range=7d')
  await becomes(page.getByRole('rowheader'), 1)
  await page.clock.runFor(hourMs)
  const spans = asked.filter((query) => query.has('limit')).map((query) => [...query].join(';'))
  expect(spans.length).toBeGreaterThan(100)
  expect(new Set(spans).size).toBe(1)
  expect(faults).toEqual([])
  await close()
})

test('a log that was empty when it was opened goes on to older requests', async () => {
  for (let i = 0; i < 31; i++) await service.post({ ...question, max_tokens: 1 })
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  const none = { object: 'list', data: [], has_more: false, last_id: null }
  await page.route('**/panel/api/requests?*', (route) => route.fulfill({ json: none }), {
    times: 1,
  })
  await page.goto('/requests')
  await page.getByRole('button', { name: 'Load older requests' }).click()
  await becomes(page.getByRole('rowheader'), 31)
  expect(faults).toEqual([])
  await close()
})

test('filters are kept in the log’s URL, and each receipt has its own URL', async () => {
  await service.post(question)
  const refused = await service.post({ ...question, temperature: 7 })
  const id = refused.headers.get('x-request-id') ?? ''
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/requests')
  const rows = page.getByRole('rowheader')
  await becomes(rows, 2)
  await page.getByLabel('Status').selectOption('Refused')
  await page.waitForURL(/status=refused/)
  await becomes(rows, 1)
  await rows.getByRole('link').click()
  await page.waitForURL(`/requests/${id}`)
  await page.reload()
  const { error } = (await refused.json()) as { error: { code: string; message: string } }
  await page.getByText(error.code).waitFor()
  await page.getByText(error.message).waitFor()
  await page.goto('/requests/req_of_another_account')
  await page.getByText('This account has no such request').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('requests are found by error code and by their whole id, and downloaded as shown', async () => {
  await service.post(question)
  const refused = await service.post({ ...question, temperature: 7 })
  const id = refused.headers.get('x-request-id') ?? ''
  const { cookie } = await signIn(service)
  const { page, context, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/usage?range=today')
  const { error } = (await refused.json()) as { error: { code: string } }
  await page.getByRole('link', { name: error.code }).click()
  await page.waitForURL(`/requests?range=today&error=${error.code}`)
  const rows = page.getByRole('rowheader')
  await becomes(rows, 1)
  await page.getByText('Downloads have the newest 10,000 matches.').waitFor()
  const href = await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href')
  const csv = await (await context.request.get(href ?? '')).text()
  expect(
    csv
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',')[0]),
  ).toEqual(['id', id])
  await page.getByLabel('Error').selectOption('Any')
  await becomes(rows, 2)
  await page.getByLabel('Request ID').fill(id)
  await page.keyboard.press('Enter')
  await page.waitForURL(`/requests?range=today&id=${id}`)
  await becomes(rows, 1)
  await page.getByLabel('Request ID').fill('req_none')
  await page.keyboard.press('Enter')
  await page.getByText('No matching requests').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a new request is counted, and the log moves only after a click', async () => {
  await service.post(question)
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/requests')
  const rows = page.getByRole('rowheader')
  await becomes(rows, 1)
  await service.post(question)
  await page.getByRole('button', { name: 'Show 1 new request' }).waitFor()
  expect(await rows.count()).toBe(1)
  await page.getByRole('button', { name: 'Show 1 new request' }).click()
  await becomes(rows, 2)
  expect(faults).toEqual([])
  await close()
})

test('a request that has ended leaves the log of those in progress', async () => {
  const replies = new ReplyGate()
  const held = await startTestService({ engine: scriptedEngine({ gate: replies.gate }) })
  onTestFinished(() => held.close())
  const { cookie } = await signIn(held)
  const { page, faults, close } = await openPage(browser(), held, { cookie })
  const reply = held.post(question)
  await expect.poll(() => replies.held).toBe(1)
  await page.goto('/requests?status=in_progress')
  await becomes(page.getByRole('rowheader'), 1)
  replies.release()
  expect((await reply).status).toBe(200)
  await page.getByText('No matching requests').waitFor()
  expect(faults).toEqual([])
  await close()
})
