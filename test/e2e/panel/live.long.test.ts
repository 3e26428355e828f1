import { expect, onTestFinished, test } from 'vitest'
import { Relay } from '../../support/http/relay.ts'
import { openPage, useBrowser } from '../../support/panel/browser.ts'
import { signIn } from '../../support/panel/panel.ts'
import { startTestService } from '../../support/service.ts'

const browser = useBrowser()

test('the live page reports a service that does not respond, and recovers by itself', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const relay = await Relay.start(service)
  onTestFinished(() => relay.close())
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), relay, { cookie })
  onTestFinished(close)
  await page.goto('/live')
  await page.getByText('0 of 4 busy').waitFor()
  relay.cut()
  await page.getByText('Service not responding').waitFor()
  // The last data stays visible.
  expect(await page.getByText('0 of 4 busy').count()).toBe(1)
  relay.passTo(service)
  await page.getByText('Service not responding').waitFor({ state: 'detached' })
  expect(await page.getByText('0 of 4 busy').count()).toBe(1)
  expect(faults).toEqual([])
})
