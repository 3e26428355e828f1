import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { LoadClient, type Reply, runOpenLoop } from './load.ts'

const reply: Omit<Reply, 'startMs' | 'firstMs' | 'endMs'> = {
  gapsMs: [],
  promptTokens: 1,
  cachedTokens: undefined,
  completionTokens: 1,
  speculativeTokens: undefined,
  finishReason: 'stop',
  text: 'a',
}

test('latency in an open loop counts from when a request was due, even if it was sent late', async () => {
  const pauseMs = 200
  let sent = 0
  const send = async () => {
    const startMs = performance.now()
    // The load process cannot send anything while it computes.
    if (sent++ === 0) while (performance.now() - startMs < pauseMs);
    const nowMs = performance.now()
    return { ...reply, startMs: nowMs, firstMs: nowMs, endMs: nowMs }
  }
  const { replies } = await runOpenLoop(100, 100, send)
  const latenciesMs = replies.map(({ startMs, endMs }) => endMs - startMs)
  expect(latenciesMs).toHaveLength(10)
  // The last request was due 90 ms after the first one.
  expect(Math.min(...latenciesMs)).toBeGreaterThan(pauseMs - 95)
})

test('a request that a timer sends before it is due counts from when it was sent', async () => {
  const { replies } = await runOpenLoop(100, 100, async () => {
    const nowMs = performance.now()
    return { ...reply, startMs: nowMs, firstMs: nowMs, endMs: nowMs }
  })
  for (const { startMs, endMs } of replies) expect(endMs).toBeGreaterThanOrEqual(startMs)
})

test('a stream that a server cuts without an error event fails with the reason of the connection', async () => {
  const server = createServer((_request, response) => {
    response.write('data: {"choices":[]}\n\n', () => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = new LoadClient({ name: 'peer', url: `http://127.0.0.1:${port}` }, 'fresh')
  try {
    await expect(client.stream({})).rejects.toThrow('peer: aborted')
  } finally {
    client.close()
    server.close()
  }
})
