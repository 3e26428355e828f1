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

test('the lines of speed begin anew after a pause', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  onTestFinished(close)
  await page.clock.install()
  await page.goto('/live')
  await page.getByText('0 of 4 busy').waitFor()
  const line = page.getByRole('region', { name: 'Completion speed' }).locator('svg path')
  const lineAfterPoll = async () => {
    const answered = page.waitForResponse('**/panel/api/live')
    await page.clock.runFor(2_000)
    await answered
    return (await line.count()) === 0 ? '' : await line.getAttribute('d')
  }
  await expect.poll(lineAfterPoll).toMatch(/^M[\d.]+,100\.00 L/)
  await page.clock.fastForward(30_000)
  await expect.poll(lineAfterPoll).toMatch(/ L\S+ M\S+( L\S+)* L100\.00,100\.00$/)
  expect(faults).toEqual([])
})
