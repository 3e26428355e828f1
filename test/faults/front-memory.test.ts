import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProcess, type ServeProcess } from '../support/process.ts'

let service: ServeProcess
beforeAll(async () => {
  service = await startProcess({
    PIPIT_ENGINE: 'scripted',
    // Log lines are cut from the same slabs as requests.
    PIPIT_LOG_LEVEL: 'info',
    // As `npm start` has it.
    NODE_OPTIONS: '--max-semi-space-size=4',
  })
})
afterAll(() => service.dispose())

const externalBytes = async () => {
  const url = /metrics +(\S+)/.exec(service.stdout)![1]!
  const text = await (await fetch(url, { headers: { connection: 'close' } })).text()
  return Number(/^nodejs_external_memory_bytes (\S+)$/m.exec(text)?.[1])
}

async function requests(count: number) {
  const one = async () => {
    const response = await fetch(`${service.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'svc-o1-mini',
        messages: [{ role: 'user', content: 'Hello' }],
        max_tokens: 1,
      }),
    })
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  }
  for (let done = 0; done < count; done += 16) await Promise.all(Array.from({ length: 16 }, one))
}

test('buffers of ended requests do not wait for the collection of the whole heap', async () => {
  await requests(160)
  const before = await externalBytes()
  await requests(3200)
  // A connection has some 64 kB of its own, and what the last requests had waits for the young generation's collection.
  expect((await externalBytes()) - before).toBeLessThan(1_200_000)
}, 60_000)
