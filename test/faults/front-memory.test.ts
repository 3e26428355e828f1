import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProcess, type ServeProcess } from '../support/process.ts'

let service: ServeProcess
beforeAll(async () => {
  service = await startProcess({
    PIPIT_ENGINE: 'scripted',
    // Log lines take their buffers from the same slabs as requests.
    PIPIT_LOG_LEVEL: 'info',
  })
})
afterAll(() => service.dispose())

const externalBytes = async () => {
  return Number(/^nodejs_external_memory_bytes (\S+)$/m.exec(await service.metrics())?.[1])
}

async function requests(count: number) {
  const one = async () => {
    const response = await service.post({
      model: 'svc-o1-mini',
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: 1,
    })
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  }
  for (let done = 0; done < count; done += 16) await Promise.all(Array.from({ length: 16 }, one))
}

test('buffers of ended requests are freed without a full garbage collection', async () => {
  await requests(160)
  const before = await externalBytes()
  await requests(3200)
  // A connection holds some 64 kB, and the buffers of the last requests wait for a collection of the young generation.
  expect((await externalBytes()) - before).toBeLessThan(1_200_000)
}, 60_000)
