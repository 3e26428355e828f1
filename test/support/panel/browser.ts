import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { packageRoot } from '../../../src/paths.ts'
import { noteOnFailure } from '../../setup/failure-notes.ts'
import { admin } from './panel.ts'
import type { TestService } from '../service.ts'

const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** True when there is no Chromium at `chromiumPath`. */
export const chromiumMissing = !existsSync(chromiumPath)
export const chromiumReason = `there is no ${chromiumPath}: apt install chromium, or set CHROMIUM`

/** Playwright's default timeout. */
const waitMs = 25_000

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** Starts one browser for all tests of a file. Skips the tests if there is none. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    if (!chromiumMissing) browser = await startBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(({ skip }) => skip(chromiumMissing, chromiumReason))
  return () => {
    if (browser === undefined) throw new Error('the browser has not started')
    return browser
  }
}

export type PanelPage = Awaited<ReturnType<typeof openPage>>
export type PageOptions = {
  /** The cookie from `signIn` in ./panel.ts. */
  cookie?: string
  colorScheme?: 'light' | 'dark'
  width?: number
  height?: number
  timeZone?: string
}

/** Opens a page with its own browser profile. Collects the page's errors in `faults`. */
export async function openPage(
  browser: Browser,
  { url }: Pick<TestService, 'url'>,
  { cookie, colorScheme = 'light', width = 1280, height = 800, timeZone }: PageOptions = {},
) {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width, height },
    ...(timeZone !== undefined && { timezoneId: timeZone }),
  })
  context.setDefaultTimeout(waitMs)
  if (cookie !== undefined) await context.addCookies(readCookies(cookie, url))
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    // The browser also logs expected error statuses.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    faults.push(message.text())
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== new URL(url).origin)
      faults.push(`a request to another origin: ${request.url()}`)
  })
  const forget = noteOnFailure(() => saveScreenshot(page))
  const close = async () => {
    forget()
    await context.close()
  }
  return { page, context, faults, close }
}

/** Saves a screenshot of the page, and returns a line with its path. */
async function saveScreenshot(page: Page): Promise<string> {
  if (page.isClosed()) return ''
  const path = join(packageRoot, 'build/check/screenshots', `${randomUUID()}.png`)
  await page.screenshot({ path })
  return `the page: ${path}`
}

/** Creates the first account in the browser, as after the first start. */
export async function setUpInBrowser(
  page: Page,
  { setUpUrl }: Pick<TestService, 'setUpUrl'>,
  user = admin,
): Promise<void> {
  if (setUpUrl === undefined) throw new Error('the service is set up already')
  await page.goto(setUpUrl)
  await page.getByLabel('Name').fill(user.name)
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
}

/** Presses the browser's Back button and gives the page time to follow. */
export function pressBack(page: Page): Promise<unknown> {
  return page.evaluate(`new Promise((resolve) => {
    addEventListener('popstate', () => setTimeout(resolve, 300), { once: true })
    history.back()
  })`)
}

/** Expects no axe findings of any severity in the light and dark themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
    await waitForColours(page)
    // Otherwise axe opens a page for each result, and the page under test could stay in the background.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    const found = violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      places: nodes.map(({ html, any }) => [html, any[0]?.message]),
    }))
    expect(found, `${await placeOf(page)}, ${scheme}`).toEqual([])
  }
}

/** Returns the page's path and width, and the name of its open dialog, for the message of a failed test. */
async function placeOf(page: Page): Promise<string> {
  const { pathname } = new URL(page.url())
  const titles = await page.getByRole('dialog').getByRole('heading').allInnerTexts()
  const dialog = titles[0] === undefined ? '' : `, dialog "${titles[0]}"`
  return `${pathname}${dialog}, ${page.viewportSize()?.width} px`
}

/**
 * Waits until the colours of a new theme are drawn, because axe would read the colours in the middle of a transition.
 * Throws if no frame is drawn, as in a page in the background.
 */
async function waitForColours(page: Page): Promise<void> {
  // A string, because the tests' types have no DOM.
  await page.evaluate(`(async () => {
    const nextFrame = () => new Promise((resolve, reject) => {
      requestAnimationFrame(resolve)
      setTimeout(() => reject(new Error('the page draws no frame')), ${waitMs})
    })
    await nextFrame()
    await nextFrame()
    const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })()`)
}

/** Expects the page to be at most three windows long. */
export async function expectThreeScreensAtMost(page: Page): Promise<void> {
  const screens = await page
    .locator('html')
    .evaluate((html) => Math.ceil((html.scrollHeight / html.clientHeight) * 100) / 100)
  expect(Math.max(3, screens), await placeOf(page)).toBe(3)
}

/** Expects the page to be no wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const beyondPx = await page
    .locator('html')
    .evaluate((html) => Math.max(0, html.scrollWidth - html.clientWidth))
  expect(beyondPx, await placeOf(page)).toBe(0)
}

function readCookies(cookie: string, url: string) {
  return cookie.split('; ').map((one) => {
    const end = one.indexOf('=')
    return { name: one.slice(0, end), value: one.slice(end + 1), url }
  })
}
