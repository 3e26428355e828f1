import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PanelLive } from '../../../src/protocol/panel-live.ts'
import { signIn, type Signed } from '../../support/panel/panel.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let signed: Signed
beforeAll(async () => {
  service = await startTestService({ environment: { PIPIT_SCRIPTED_TOKENS_PER_SECOND: '50' } })
  signed = await signIn(service)
})
afterAll(() => service.close())

const live = async () => (await (await signed.get('/live')).json()) as PanelLive

test('the live status of an idle service has no running requests and names the model', async () => {
  expect(await live()).toMatchObject({
    engine: { state: 'ready', slots: 4, running: 0, completion_tokens_per_second: 0 },
    queue: { waiting: 0, max: 384 },
    service: { ledger_healthy: true, accepting: true },
    model: { id: 'svc-o1-mini', context_tokens: 4096, completion_tokens_max: 2048, device: null },
  })
})

test('a running reply counts as running, and its tokens have a rate', async () => {
  const stream = service.stream({ ...question, max_tokens: 200 })
  await expect.poll(live, { timeout: 10_000 }).toMatchObject({ engine: { running: 1 } })
  await expect
    .poll(async () => (await live()).engine.completion_tokens_per_second, { timeout: 10_000 })
    .toBeGreaterThan(0)
  expect((await stream).done).toBe(true)
  await expect.poll(live).toMatchObject({ engine: { running: 0 } })
})
