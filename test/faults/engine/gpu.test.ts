import { expect, onTestFinished, test } from 'vitest'
import { question, startTestService } from '../../support/service.ts'
import { startLyingEngine } from './start-lying-engine.ts'

/** Starts a service with an engine whose process lies, and counts the crashes of that process. */
async function startLyingService(device: 'cpu' | 'gpu') {
  let crashes = 0
  const ignore = () => {}
  const logger = { debug: ignore, info: ignore, warn: ignore, error: () => (crashes += 1) }
  const { engine, close } = await startLyingEngine({ logger, restartBackoffMaxMs: 100 }, device)
  onTestFinished(close)
  const service = await startTestService({ engine })
  onTestFinished(() => service.close())
  return { service, crashes: () => crashes }
}

const say = (content: string) => ({ ...question, messages: [{ role: 'user', content }] })

test.for(['cpu', 'gpu'] as const)(
  'on a %s, a reply that has begun when the engine crashes is repeated only if it would be the same (F01)',
  async (device) => {
    const { service, crashes } = await startLyingService(device)
    const { text, raw, done } = await service.stream(say('a crash'))
    expect([text, done]).toEqual(['good ', false])
    expect(raw).toContain('"code":"engine_failed"')
    // A CPU computes the same reply again, so the service repeats the request after the first crash. A GPU may not,
    // because its sums depend on the other rows in the batch.
    expect(crashes()).toBe(device === 'cpu' ? 2 : 1)
    expect(raw).toContain(
      device === 'cpu' ? 'stopped twice' : 'The engine stopped in the middle of the reply',
    )
    const { outcome, completion_tokens: tokens } = service.ledgerRows()[0] ?? {}
    expect([outcome, tokens]).toEqual(['engine_crash', 1])
    const next = await service.post(say('hello'))
    expect(next.status).toBe(200)
    await next.text()
  },
)

test('on a gpu, a request whose reply has no token yet is repeated', async () => {
  const { service, crashes } = await startLyingService('gpu')
  const { text, done } = await service.stream(say('a prompt that crashes once'))
  expect([text, done, crashes()]).toEqual(['good reply', true, 1])
  expect(service.ledgerRows()).toMatchObject([{ outcome: 'completed', completion_tokens: 2 }])
})
