import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { SwitchableEngine } from '../../src/engine/switchable-engine.ts'
import { ReplyGate } from '../support/engine/reply-gate.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'
import { question, startTestService } from '../support/service.ts'

test('running and waiting requests keep the model with which they came, and later ones get the new one', async () => {
  const replies = new ReplyGate()
  const old = scriptedEngine({ slots: 1, gate: replies.gate })
  const next = scriptedEngine({ slots: 1 })
  const engine = new SwitchableEngine(old)
  const service = await startTestService({ engine })
  onTestFinished(() => service.close())
  const running = service.post(question)
  await expect.poll(() => replies.held).toBe(1)
  const waiting = service.post(question)
  await expect.poll(async () => metric(service.metricsUrl, 'pipit_requests_waiting')).toBe(1)
  await engine.replace(next)
  expect(old.state).toBe('ready')
  replies.release()
  await expect.poll(() => replies.held).toBe(1)
  replies.release()
  const [first, second] = await Promise.all([running, waiting])
  expect([first.status, second.status]).toEqual([200, 200])
  await Promise.all([first.text(), second.text()])
  expect(next.stats().completionTokens).toBe(0)
  await expect.poll(() => old.state).toBe('closed')
  expect((await service.post(question)).status).toBe(200)
  expect(next.stats().completionTokens).toBeGreaterThan(0)
})

test('a request waits for the next model no longer than its caller allows', async () => {
  const engine = new SwitchableEngine(scriptedEngine(), { waitMaxMs: 20_000 })
  const service = await startTestService({ engine })
  onTestFinished(() => service.close())
  expect(await engine.retire(1000)).toBe(true)
  const ask = (name: string, value: string) =>
    service.post(question, { headers: { [name]: value } })
  const beganMs = performance.now()
  const late = await ask('x-request-timeout-ms', '100')
  const invalid = await ask('x-request-timeout-ms', '0')
  expect(performance.now() - beganMs).toBeLessThan(10_000)
  expect([late.status, late.headers.get('x-drop-reason'), await late.json()]).toMatchObject([
    503,
    'deadline',
    { error: { code: 'model_loading' } },
  ])
  expect([invalid.status, await invalid.json()]).toMatchObject([
    400,
    { error: { code: 'invalid_value' } },
  ])
  // The longest time that an SDK can name is more than a timer can take.
  const patient = ask('x-stainless-timeout', '99999999')
  await delay(100)
  await engine.replace(scriptedEngine())
  expect((await patient).status).toBe(200)
})

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(url)).text()
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}
