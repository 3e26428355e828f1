import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { PanelLive } from '../../../src/protocol/panel-live.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { signIn, type Signed } from '../../support/panel/panel.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

const gate = new ReplyGate({ afterTokens: 8 })
let service: TestService
let signed: Signed
beforeAll(async () => {
  service = await startTestService({ engine: scriptedEngine({ gate: gate.gate }) })
  signed = await signIn(service)
})
// Replies still held after a failed test would delay closing the service.
afterEach(() => gate.release())
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
  // The rate is measured between two calls of `live`, and this is the first.
  await live()
  const stream = service.stream(question)
  await expect.poll(() => gate.held).toBe(1)
  const { engine } = await live()
  expect(engine.running).toBe(1)
  expect(engine.completion_tokens_per_second).toBeGreaterThan(0)
  gate.release()
  expect((await stream).done).toBe(true)
  await expect.poll(live).toMatchObject({ engine: { running: 0 } })
})
