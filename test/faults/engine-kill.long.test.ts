import { afterAll, beforeAll, expect, test } from 'vitest'
import { childrenOf, startProcess, type ServeProcess } from '../support/process.ts'
import { readStream } from '../support/service.ts'

const rounds = 20
const loadTimeMs = 1500
let service: ServeProcess
beforeAll(async () => {
  service = await startProcess({ PIPIT_SLOTS: '8' })
})
afterAll(() => service.dispose())

const post = (content: string, body: object = {}) =>
  service.post({ model: 'svc-o1-mini', messages: [{ role: 'user', content }], ...body })

test('a killed engine ends its streams with an error event; waiting requests are answered', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const engine = service.enginePid()!
    const running = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        post(`Write a long story about the number ${round * 8 + i}.`, {
          stream: true,
          max_tokens: 2048,
          temperature: 1,
        }),
      ),
    )
    const queued = post('Hello!', { max_tokens: 8 })
    const streams = running.map(readStream)
    process.kill(engine, 'SIGKILL')
    const killedMs = Date.now()

    for (const stream of await Promise.all(streams)) {
      // A short reply may have been complete before the kill; no other stream may look complete.
      if (stream.done) continue
      expect(stream.raw).not.toContain('[DONE]')
      if (stream.status === 200) expect(stream.events.at(-1)?.error?.code).toBe('engine_failed')
      else expect(stream.status).toBe(500)
    }
    const next = await post('Hello again!', { max_tokens: 8 })
    expect([next.status, (await queued).status]).toEqual([200, 200])
    await next.text()
    expect(Date.now() - killedMs).toBeLessThan(loadTimeMs + 2000)
    expect(service.enginePid()).not.toBe(engine)
  }
  expect(childrenOf(service.pid)).toHaveLength(1)
  expect(process.kill(service.pid, 0)).toBe(true)
}, 240_000)
