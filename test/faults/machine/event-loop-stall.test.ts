import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomModelIn, temporaryFolder } from '../../support/engine/engine-fixtures.ts'
import { bundledSize } from '../../support/gguf/random-gguf.ts'
import { startProcess, type ServeProcess } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question } from '../../support/service.ts'

const stallMs = 2000
/** Code that blocks the service's main thread, but no other thread, when SIGUSR2 arrives. */
const stallOnSignal = `
  process.on('SIGUSR2', () =>
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${stallMs}))`

const folder = temporaryFolder()
// With this model's large vocabulary the end token is rarely sampled.
const modelPath = randomModelIn(folder.path, { ...bundledSize, contextTokens: 2048 })
let service: ServeProcess
beforeAll(async () => {
  service = await startProcess({
    PIPIT_MODEL: modelPath,
    PIPIT_SLOTS: '1',
    PIPIT_THREADS: '1',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(stallOnSignal)}`,
  })
})
afterAll(async () => {
  await service.dispose()
  folder.remove()
})

const metric = async (name: string) => {
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(await service.metrics())?.[1]
  return Number(found ?? 0)
}
const timers = () => metric('nodejs_active_resources\\{type="Timeout"\\}')

/** Returns the response time of /healthz in ms. */
async function healthMs(): Promise<number> {
  const startMs = performance.now()
  const { status } = await fetch(`${service.url}/healthz`)
  expect(status).toBe(200)
  return performance.now() - startMs
}

/** Asks for a long reply that is always the same. It takes longer than the test needs to send its other requests. */
async function story() {
  const body = { ...question, max_tokens: 1500, seed: 7, stream: true }
  return (await service.post(body)).text()
}
const contentOf = (stream: string) =>
  [...stream.matchAll(/^data: (\{.*)$/gm)]
    .map(([, json = '']) => JSON.parse(json) as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('')

test('after a stall of 2 s replies go on, deadlines are right, the metric shows it and no timer is doubled (F19)', async () => {
  const expected = contentOf(await story())
  await expect.poll(() => metric('pipit_requests_running'), { timeout: 10_000 }).toBe(0)
  const before = { timers: await timers(), lag: await metric('nodejs_eventloop_lag_max_seconds') }

  const running = story()
  await expect
    .poll(() => metric('pipit_requests_running'), { interval: 5, timeout: 10_000 })
    .toBe(1)
  const waitFor = (deadlineMs: number) =>
    service.post(
      { ...question, max_tokens: 1 },
      { headers: { 'x-request-timeout-ms': String(deadlineMs) } },
    )
  const patient = waitFor(20_000)
  await expect
    .poll(() => metric('pipit_requests_waiting'), { interval: 5, timeout: 10_000 })
    .toBe(1)
  // A scrape resets the measured lag, and the measurement starts again at its next tick, 10 ms later.
  await delay(50)
  process.kill(service.pid, 'SIGUSR2')
  // The signal may arrive only after the first health checks.
  await expect.poll(healthMs, { interval: 5, timeout: 10_000 }).toBeGreaterThan(0.8 * stallMs)

  expect(contentOf(await running)).toBe(expected)
  expect((await patient).status).toBe(200)
  const lag = await metric('nodejs_eventloop_lag_max_seconds')
  expect(lag).toBeGreaterThan((0.9 * stallMs) / 1000)
  expect(await metric('pipit_engine_restarts_total')).toBe(0)
  await expect.poll(timers).toBeLessThanOrEqual(before.timers + 1)
  recordFinding(
    'F19',
    `The main thread stood still for ${stallMs / 1000} s under a stream: the stream ended with the same bytes, a request with a deadline of 20 s was answered, nodejs_eventloop_lag_max_seconds went from ${before.lag} to ${lag}, the engine was not restarted, and the number of timers stayed ${before.timers}.`,
  )
})

test('a deadline that passes in a stall ends the wait right after it (F19)', async () => {
  const attempt = async () => {
    const stories = [story(), story(), story()]
    await expect.poll(() => metric('pipit_requests_waiting'), { timeout: 10_000 }).toBe(2)
    const startMs = performance.now()
    const headers = { 'x-request-timeout-ms': '1000' }
    const impatient = service.post({ ...question, max_tokens: 1 }, { headers })
    await expect.poll(() => metric('pipit_requests_waiting'), { timeout: 10_000 }).not.toBe(2)
    process.kill(service.pid, 'SIGUSR2')
    const response = await impatient
    const endedMs = performance.now() - startMs
    expect([response.status, response.headers.get('x-drop-reason')]).toEqual([503, 'deadline'])
    await Promise.all(stories)
    return endedMs
  }
  let endedMs = await attempt()
  // This process may have stopped as well, since the machine is busy.
  for (let left = 2; left > 0 && endedMs > stallMs + 1500; left -= 1) endedMs = await attempt()
  expect(endedMs).toBeLessThan(stallMs + 1500)
  recordFinding(
    'F19',
    `A request with a deadline of 1 s, which passed in a stall of ${stallMs / 1000} s, was refused ${Math.round(endedMs)} ms after its arrival.`,
  )
})
