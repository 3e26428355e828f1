import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationsOf } from '../../../panel/src/reference/api-document.ts'
import type { OpenApi } from '../../../src/http/reference/openapi.ts'
import {
  chromiumMissing,
  expectNoSidewaysScroll,
  expectThreeScreensAtMost,
  openPage,
  useBrowser,
} from '../../support/panel/browser.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const guides = [
  ['/docs', 'API reference'],
  ['/docs/streaming', 'Streaming'],
  ['/docs/structured-output', 'Structured output'],
  ['/docs/tools', 'Tools'],
  ['/docs/errors', 'Errors'],
  ['/docs/limits', 'Limits'],
  ['/docs/idempotency', 'Idempotency'],
] as const

const browser = useBrowser()
let service: TestService
let pages: (readonly [path: string, title: string])[]
beforeAll(async () => {
  if (chromiumMissing) return
  service = await startTestService()
  const api = (await (await service.request('/openapi.json')).json()) as OpenApi
  pages = [
    ...guides,
    ...operationsOf(api).map(
      ({ operationId, summary }) => [`/docs/operations/${operationId}`, summary] as const,
    ),
    ...Object.keys(api.components.schemas).map((name) => [`/docs/objects/${name}`, name] as const),
  ]
})
afterAll(() => service?.close())

test.each([
  [1280, 'light'],
  [1280, 'dark'],
  [360, 'light'],
  [360, 'dark'],
] as const)(
  'at %i px in the %s theme every page has no axe finding and at most 3 screens',
  async (width, colorScheme) => {
    const { page, faults, close } = await openPage(browser(), service, {
      width,
      height: 800,
      colorScheme,
    })
    await page.goto('/docs')
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const [path, title] of pages) {
      await open(page, path, title)
      const { violations } = await new AxeBuilder({ page }).analyze()
      const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
      expect([path, found]).toEqual([path, []])
      await expectNoSidewaysScroll(page)
      await expectThreeScreensAtMost(page)
    }
    expect(faults).toEqual([])
    await close()
  },
  600_000,
)

/** Follows an address as a link does, without loading the page again. */
async function open(page: Page, address: string, title: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`)
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
}
