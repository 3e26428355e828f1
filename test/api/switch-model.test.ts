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

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(url)).text()
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}
