import type { Page } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createUser } from '../../../src/people/users.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectThreeScreensAtMost,
  openPage,
  useBrowser,
} from '../../support/panel/browser.ts'
import { expectFocusKept, useKeyboard } from '../../support/panel/keyboard.ts'
import { addUser, type Signed, signIn } from '../../support/panel/panel.ts'
import { question, startTestService } from '../../support/service.ts'

vi.setConfig({ testTimeout: 300_000 })
const browser = useBrowser()
const phone = { width: 360, height: 800 }
const name = 'the nightly report of the department for bird watching'
const limits = { requests_per_minute: 600, tokens_per_day: 90_000, tokens_per_month: 900_000 }
const dayMs = 86_400_000
/** Fields that make a question invalid, each for another error code. */
const refused = [
  { temperature: 9 },
  { max_tokens: -1 },
  { messages: [] },
  { messages: 'hello' },
  { messages: undefined },
  { model: 'no-such-model' },
  { response_format: { type: 'nothing' } },
]

async function startService(environment: Record<string, string> = {}) {
  const service = await startTestService({ environment })
  onTestFinished(() => service.close())
  return { service, ada: await signIn(service) }
}

async function createKey(ada: Signed, fields: object) {
  const reply = await ada.post('/keys', { limits, ...fields })
  return (await reply.json()) as { key: string; record: { id: string } }
}

/** Adds prices from eight days, budgets for five accounts, a webhook and a mail server that fail, and eight alerts. */
async function setUpSpending(service: Parameters<typeof addUser>[0], ada: Signed): Promise<void> {
  const prices = { currency: 'EUR', prompt: '0.15', cached: '0.03', completion: '0.6' }
  for (let day = 1; day <= 8; day++)
    await ada.post('/prices', { ...prices, from: `2026-01-0${day}` })
  const users = ['Bob', 'Eve', 'Ian', 'Joy'].map((user) => ({
    name: user,
    email: `${user}@example.com`,
  }))
  const accounts = [ada.me.account.id]
  for (const user of users) accounts.push((await addUser(service, user)).me.account.id)
  for (const account of accounts) {
    const budget = { kind: 'money', amount: '25', thresholds: [50, 80, 100] }
    await ada.post('/budgets', { account_id: account, ...budget })
  }
  await ada.post('/alerts/webhook', { url: 'http://127.0.0.1:9/alerts' })
  const server = { host: '127.0.0.1', port: 9, encryption: 'none', user: '' }
  const mail = { ...server, from: 'pipit@example.com', to: ['ada@example.com'] }
  await ada.post('/alerts/mail', { mail })
  for (let count = 0; count < 4; count++) await ada.post('/alerts/test')
}

/** Adds accounts whose users have no password. */
async function addAccounts(service: Parameters<typeof addUser>[0], count: number): Promise<void> {
  const database = await openDatabase(service.dataDir, { url: service.databaseUrl })
  try {
    for (let user = 1; user <= count; user++) {
      const person = { email: `user-${user}@example.com`, name: `User ${user}` }
      const wanted = { ...person, role: 'member', passwordHash: undefined } as const
      await createUser(database, wanted, Date.now())
    }
  } finally {
    await database.close()
  }
}

async function expectShort(page: Page, paths: readonly string[]): Promise<void> {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of paths) {
      await page.goto(path, { waitUntil: 'networkidle' })
      await page.getByRole('table').first().waitFor()
      await expectThreeScreensAtMost(page)
    }
  }
}

test('pages with many rows begin with at most three screens', async () => {
  const { service, ada } = await startService()
  for (let count = 0; count < 51; count++) {
    const { key } = await createKey(ada, { name })
    if (count < 12) for (let sent = 0; sent < 5; sent++) await service.post(question, { key })
    if (count < refused.length) await service.post({ ...question, ...refused[count] }, { key })
  }
  const { page, faults, close } = await openPage(browser(), service, ada)
  await setUpSpending(service, ada)
  await expectShort(page, ['/keys', '/requests', '/audit', '/usage?range=today', '/spending'])
  await page.goto('/usage?range=today')
  const codes = page.getByRole('region', { name: 'Errors by code' }).getByRole('listitem')
  await page.getByRole('button', { name: `Show all ${refused.length} codes` }).click()
  await expect.poll(() => codes.count()).toBe(refused.length)
  expect(faults).toEqual([])
  await close()
})

test('Accounts and Settings begin with at most three screens, and show all invites and sessions on demand', async () => {
  const { service, ada } = await startService({ PIPIT_SIGN_UP: 'invite' })
  await addAccounts(service, 49)
  for (let count = 1; count <= 10; count++)
    await ada.post('/invites', { email: `guest-${count}@example.com`, role: 'member' })
  for (let count = 1; count < 30; count++) await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, ada)
  await expectShort(page, ['/accounts'])
  await page.getByRole('button', { name: 'Show all 10 invites' }).click()
  await page
    .getByRole('button', { name: /^Revoke the invite/ })
    .nth(9)
    .waitFor()
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/settings', { waitUntil: 'networkidle' })
    await page.getByText('This browser', { exact: true }).waitFor()
    await expectThreeScreensAtMost(page)
  }
  await page.getByRole('button', { name: 'Show all 30 sessions' }).click()
  await page
    .getByRole('button', { name: /^Sign out (?!all)/ })
    .nth(28)
    .waitFor()
  expect(faults).toEqual([])
  await close()
})

test('seven keys, new, expiring and rotated, take at most three screens', async () => {
  const { service, ada } = await startService()
  for (let count = 0; count < 5; count++) {
    const { key } = await createKey(ada, { name })
    await service.post(question, { key })
  }
  await createKey(ada, { name, expires_ms: Date.now() + 30 * dayMs })
  const { record } = await createKey(ada, { name })
  await ada.post(`/keys/${record.id}/rotate`, { grace_ms: dayMs })
  const { page, faults, close } = await openPage(browser(), service, ada)
  await expectShort(page, ['/keys'])
  expect(faults).toEqual([])
  await close()
})

test('on a phone, a key shows its fullest limit, and the keyboard opens its other limits, its ID and its age', async () => {
  const { service, ada } = await startService()
  const { key, record } = await createKey(ada, { name: 'laptop' })
  await service.post(question, { key })
  const { page, faults, close } = await openPage(browser(), service, { ...phone, ...ada })
  await page.goto('/keys')
  const card = page.getByRole('row').filter({ hasText: 'laptop' })
  await card.getByText(/^[1-9]\d* \/ 90K tokens today$/).waitFor()
  const rare = [
    card.getByText(/\/ 600 requests/),
    card.getByText(/\/ 900K tokens/),
    card.getByText(record.id),
    card.getByText('Created'),
  ]
  for (const detail of rare) expect(await detail.isVisible()).toBe(false)
  const keys = useKeyboard(page)
  await keys.press(page.getByRole('button', { name: 'Details of laptop' }), 'Enter')
  for (const detail of rare) await detail.waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await keys.press(page.getByRole('button', { name: 'Details of laptop', expanded: true }), 'Enter')
  for (const detail of rare) await detail.waitFor({ state: 'hidden' })
  expect(faults).toEqual([])
  await close()
})

test('on a phone, the keyboard reaches all prices, budgets, deliveries and forms of Spending', async () => {
  const { service, ada } = await startService()
  await setUpSpending(service, ada)
  const { page, faults, close } = await openPage(browser(), service, { ...phone, ...ada })
  const keys = useKeyboard(page)
  await page.goto('/spending')
  for (const all of ['8 prices', '5 budgets', '8 deliveries']) {
    await keys.press(page.getByRole('button', { name: `Show all ${all}` }), 'Enter')
    await expectFocusKept(page)
  }
  await page.getByRole('button', { name: 'Remove the prices from 2026-01-01' }).waitFor()
  await page.getByRole('button', { name: 'Remove the budget of Joy' }).waitFor()
  await expect
    .poll(() => page.getByRole('table', { name: 'Deliveries' }).getByRole('row').count())
    .toBe(9)
  await page.reload()
  await page.getByText('Sent to ada@example.com over 127.0.0.1:9.').waitFor()
  for (const [form, button] of [
    ['Set prices', 'Save prices'],
    ['Set a budget', 'Save budget'],
    ['Mail server', 'Save mail server'],
  ] as const) {
    await keys.press(page.locator('summary', { hasText: form }), 'Enter')
    await page.getByRole('button', { name: button }).waitFor()
  }
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  expect(faults).toEqual([])
  await close()
})
