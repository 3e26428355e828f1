import { expect, test } from 'vitest'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  openPage,
  useBrowser,
} from '../../support/panel/browser.ts'
import { signIn } from '../../support/panel/panel.ts'
import { startFrontedService } from '../../support/upstream/fronted-service.ts'
import { startUpstream } from '../../support/upstream/scripted-upstream.ts'

const browser = useBrowser()

test('admins see the replica and its engines, on a phone too', async () => {
  const [up, down] = [await startUpstream(), await startUpstream()]
  await down.close()
  const service = await startFrontedService(
    { urls: [up.url, down.url] },
    { probeEveryMs: 3_600_000, probeMs: 10_000 },
  )
  try {
    const { cookie } = await signIn(service)
    const { page, faults, close } = await openPage(browser(), service, { cookie })
    await page.goto('/replicas')
    await page.getByText('A single replica counts limits in its memory.').waitFor()
    const engines = page.getByRole('table', { name: 'Engines' })
    const failed = engines.getByRole('row').filter({ hasText: down.url })
    expect(await failed.textContent()).toMatch(/Ejected.*next probe.*the connection failed/)
    expect(await engines.getByRole('row').filter({ hasText: up.url }).textContent()).toContain('Up')
    await page.setViewportSize({ width: 360, height: 780 })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  } finally {
    await service.close()
    await up.close()
  }
})
