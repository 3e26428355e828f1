// `npm run screenshots [NAME …]` saves every page of the panel in light, dark and 360 pixels wide to
// build/screenshots/, with the bundled model and sample data. Needs Debian's chromium.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { packageRoot } from '../src/paths.ts'
import { openDatabase } from '../src/storage/database.ts'
import { Ledger } from '../src/usage/ledger.ts'
import { hourMs } from '../src/time/durations.ts'
import {
  chromiumMissing,
  chromiumReason,
  openPage,
  startBrowser,
  type PageOptions,
} from '../test/support/panel/browser.ts'
import { ledgerEntry } from '../test/support/ledger-entry.ts'
import { signIn, type Signed } from '../test/support/panel/panel.ts'
import { randomNumbers } from '../test/support/random/random-numbers.ts'
import { question, startTestService, type TestService } from '../test/support/service.ts'

const folder = join(packageRoot, 'build/screenshots')
const looks = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', width: 360, height: 780 },
  'phone-dark': { colorScheme: 'dark', width: 360, height: 780 },
} as const satisfies Record<string, PageOptions>

/** Time for charts to draw after the data has loaded. */
const settleMs = 300
const wanted = process.argv.slice(2)

type Shot = { name: string; path: string; act?: (page: Page) => Promise<void> }

const publicShots: Shot[] = [
  { name: 'setup', path: '/setup#secret' },
  { name: 'sign-in', path: '/sign-in' },
  { name: 'sign-up', path: '/sign-up#invite' },
  { name: 'reset-password', path: '/reset-password#secret' },
]

function shotsOf(keyId: string, requestId: string): Shot[] {
  return [
    { name: 'keys', path: '/keys' },
    { name: 'keys-create', path: '/keys?dialog=create' },
    { name: 'keys-issued', path: '/keys?dialog=create', act: createKey },
    { name: 'keys-edit', path: `/keys?dialog=edit&key=${keyId}` },
    { name: 'keys-rotate', path: `/keys?dialog=rotate&key=${keyId}` },
    { name: 'keys-revoke', path: `/keys?dialog=revoke&key=${keyId}` },
    { name: 'usage', path: '/usage?range=30d' },
    { name: 'requests', path: '/requests' },
    { name: 'request', path: `/requests/${requestId}` },
    { name: 'playground', path: '/playground' },
    { name: 'live', path: '/live' },
    { name: 'model', path: '/model' },
    { name: 'quick-start', path: '/quick-start' },
    { name: 'accounts', path: '/accounts' },
    { name: 'audit', path: '/audit' },
    { name: 'replicas', path: '/replicas' },
    { name: 'spending', path: '/spending' },
    { name: 'settings', path: '/settings' },
  ]
}

async function createKey(page: Page): Promise<void> {
  await page.getByRole('dialog').getByLabel('Name').fill('notebook')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'I’ve saved this key' }).waitFor()
}

async function takeAll(browser: Browser, service: TestService): Promise<void> {
  await take(browser, service, publicShots)
  const signed = await signIn(service)
  const { keyId, requestId } = await useTheService(service, signed)
  await take(browser, service, shotsOf(keyId, requestId), signed.cookie)
}

/** Adds keys with limits, a month of usage, and requests that succeed, stream and fail. */
async function useTheService(service: TestService, { post, me }: Signed) {
  let keyId = ''
  const keyIds: string[] = []
  for (const name of ['website', 'nightly report', 'دفتر الملاحظات', '🐦 bird watch']) {
    const limits = { requests_per_minute: 60, tokens_per_day: 20_000, tokens_per_month: 400_000 }
    const reply = await post('/keys', { name, limits })
    if (!reply.ok) break
    const { key, record } = (await reply.json()) as { key: string; record: { id: string } }
    keyId = record.id
    keyIds.push(keyId)
    for (let count = 0; count < 5; count++) await service.post(question, { key })
  }
  await addHistory(service, me.account.id, keyIds)
  await setUpSpending(post, me.account.id)
  await service.stream(question)
  await service.post({ ...question, temperature: 9 })
  const last = await service.post(question)
  return { keyId, requestId: last.headers.get('x-request-id') ?? '' }
}

/** Sets prices, a budget and a webhook that nothing receives, and sends a test alert. */
async function setUpSpending(post: Signed['post'], accountId: string): Promise<void> {
  const price = { currency: 'EUR', prompt: '0.15', cached: '0.03', completion: '0.6' }
  await post('/prices', { ...price, from: '2026-01-01' })
  await post('/prices', { ...price, from: '2026-11-01', prompt: '0.12' })
  const thresholds = [50, 80, 100]
  await post('/budgets', { account_id: accountId, kind: 'money', amount: '0.5', thresholds })
  await post('/alerts/webhook', { url: 'http://127.0.0.1:9/alerts' })
  await post('/alerts/test')
}

/** Writes 30 days of ledger entries, with quiet nights and a few failures. */
async function addHistory(service: TestService, accountId: string, keyIds: readonly string[]) {
  const database = await openDatabase(service.dataDir)
  try {
    const ledger = Ledger.open(database, 'history')
    const random = randomNumbers(7)
    for (let hour = 30 * 24; hour > 0; hour--) {
      const createdMs = Date.now() - hour * hourMs
      const isNight = new Date(createdMs).getHours() < 7
      const requests = Math.floor(random() * (isNight ? 3 : 14))
      await Promise.all(
        Array.from({ length: requests }, async (_, index) => {
          const entry = ledgerEntry(`req_${hour}_${index}`, {
            accountId,
            keyId: keyIds[Math.floor(random() ** 2 * keyIds.length)] ?? '',
            createdMs: createdMs + index,
          })
          await ledger.reserve(entry)
          const promptTokens = 40 + Math.floor(random() * 400)
          await ledger.settle(entry, {
            outcome: random() < 0.02 ? 'engine_crash' : 'completed',
            promptTokens,
            cachedTokens: Math.floor(random() ** 2 * promptTokens),
            completionTokens: 20 + Math.floor(random() * 200),
            queueMs: Math.floor(random() * 20),
            prefillMs: 20 + Math.floor(random() * 60),
            decodeMs: 200 + Math.floor(random() ** 3 * 3000),
          })
        }),
      )
    }
  } finally {
    await database.close()
  }
}

async function take(
  browser: Browser,
  service: TestService,
  shots: readonly Shot[],
  cookie?: string,
): Promise<void> {
  for (const [look, options] of Object.entries(looks)) {
    const opened = await openPage(browser, service, {
      ...options,
      ...(cookie !== undefined && { cookie }),
    })
    const { page, faults, close } = opened
    for (const { name, path, act } of shots.filter(isWanted)) {
      await page.goto('about:blank')
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
      await act?.(page)
      await page.waitForTimeout(settleMs)
      await page.screenshot({
        path: join(folder, `${name}-${look}.png`),
        fullPage: !path.includes('dialog'),
      })
    }
    for (const fault of faults) console.error(`${look}: ${fault}`)
    await close()
  }
}

function isWanted({ name }: Shot): boolean {
  return wanted.length === 0 || wanted.includes(name)
}

if (chromiumMissing) {
  console.error(`No screenshots: ${chromiumReason}.`)
  process.exit(1)
}
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
// Uses the bundled model, so that pages look as on a new user's machine.
const environment = { PIPIT_ENGINE: 'embedded' }
const service = await startTestService({ environment, isSwitchable: true })
try {
  const browser = await startBrowser()
  try {
    await takeAll(browser, service)
  } finally {
    await browser.close()
  }
} finally {
  await service.close()
}
console.error(`The screenshots are in ${folder}.`)
