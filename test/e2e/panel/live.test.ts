import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPage, useBrowser } from '../../support/panel/browser.ts'
import { signIn } from '../../support/panel/panel.ts'
import { question, startTestService } from '../../support/service.ts'

const browser = useBrowser()

test('the live page reports a service that does not respond, and recovers by itself', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-test-'))
  const first = await startTestService({ dataDir })
  const { cookie } = await signIn(first)
  const { page, faults, close } = await openPage(browser(), first, { cookie })
  await page.goto('/live')
  await page.getByText('0 of 4 busy').waitFor()
  const { port } = new URL(first.url)
  await first.close()
  await page.getByText('Service not responding').waitFor()
  // The last data stays visible.
  expect(await page.getByText('0 of 4 busy').count()).toBe(1)
  const second = await startTestService({ dataDir, environment: { PIPIT_PORT: port } })
  try {
    await page.getByText('Service not responding').waitFor({ state: 'detached' })
    expect((await second.post(question, { key: first.key })).status).toBe(200)
    expect(faults).toEqual([])
  } finally {
    await close()
    await second.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 60_000)
