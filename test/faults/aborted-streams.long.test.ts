import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFiles, residentBytes, startProcess, type ServeProcess } from '../support/process.ts'

let service: ServeProcess
beforeAll(async () => {
  service = await startProcess({
    PIPIT_SLOTS: '8',
    PIPIT_LOG_LEVEL: 'silent',
    // With a small heap the garbage collector runs often, so that growth means a leak.
    NODE_OPTIONS: '--max-semi-space-size=2 --max-old-space-size=64',
  })
})
afterAll(() => service.dispose())

const metric = async (name: string) => {
  const text = await service.metrics()
  // A resource without instances has no line in the metrics.
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}

async function abortedStream(i: number) {
  const gone = new AbortController()
  try {
    const response = await service.post(
      {
        model: 'svc-o1-mini',
        messages: [{ role: 'user', content: `Write a long story about ${i}.` }],
        max_tokens: 2048,
        stream: true,
      },
      // Without this header, a stream that ends before its caller leaves would keep its connection for a minute.
      { signal: gone.signal, headers: { connection: 'close' } },
    )
    // Some callers leave before the first token, some in the middle.
    const reader = response.body!.getReader()
    for (let chunks = i % 5; chunks > 0; chunks -= 1) await reader.read()
  } finally {
    gone.abort()
  }
}

async function abortMany(count: number) {
  for (let i = 0; i < count; i += 20)
    await Promise.all(Array.from({ length: 20 }, (_, k) => abortedStream(i + k)))
  await expect.poll(() => metric('pipit_requests_running')).toBe(0)
  expect(await metric('pipit_requests_waiting')).toBe(0)
}

test('1,000 aborted streams leak no slot, file descriptor, timer or memory', async () => {
  await abortMany(500)
  const pids = [service.pid, service.enginePid()!]
  // Idle keep-alive sockets of this client are not leaks; they close in a few seconds.
  const timers = () => metric('nodejs_active_resources\\{type="Timeout"\\}')
  const settled = async () => {
    await expect
      .poll(() => metric('nodejs_active_resources\\{type="TCPSocketWrap"\\}'), { timeout: 20_000 })
      .toBeLessThan(4)
    return {
      files: pids.map(openFiles),
      memory: pids.map(residentBytes),
      timers: await timers(),
    }
  }
  const before = await settled()
  await abortMany(1000)
  await settled()
  // The last streams may need a moment to end.
  for (const [i, pid] of pids.entries()) {
    await expect.poll(() => openFiles(pid) - (before.files[i] ?? 0)).toBeLessThan(8)
    const grownBytes = () => residentBytes(pid) - (before.memory[i] ?? 0)
    await expect.poll(grownBytes).toBeLessThan(24 * 1024 * 1024)
  }
  await expect.poll(timers).toBeLessThan(before.timers + 8)
  const body = {
    model: 'svc-o1-mini',
    messages: [{ role: 'user', content: 'Hello!' }],
    max_tokens: 8,
  }
  const replies = await Promise.all(Array.from({ length: 8 }, () => service.post(body)))
  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
}, 300_000)
