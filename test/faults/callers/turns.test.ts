import { expect, test } from 'vitest'
import { addAccountWithKey } from '../../support/accounts.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService } from '../../support/service.ts'

test('a caller with one request waits for the next slot, not for 100 requests of another (F13, G3, T51)', async () => {
  const engine = scriptedEngine({ slots: 2, prefillMs: 20 })
  const service = await startTestService({ engine })
  try {
    const { key } = await addAccountWithKey(service, 'other')
    const status = async () => (await service.request('/v1/models', { key })).status
    await expect.poll(status).toBe(200)
    let done = 0
    const ask = async () => {
      const response = await service.post({ ...question, max_tokens: 1 })
      expect(response.status).toBe(200)
      await response.arrayBuffer()
      done += 1
    }
    const many = Array.from({ length: 100 }, ask)
    await expect.poll(() => done).toBeGreaterThan(10)
    const before = done
    expect((await service.post({ ...question, max_tokens: 1 }, { key })).status).toBe(200)
    // Counts the requests that were running, and the few that ended while the response was on its way.
    expect(done - before).toBeLessThan(30)
    await Promise.all(many)
  } finally {
    await service.close()
  }
})
