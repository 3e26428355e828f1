import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sameSignalMs } from '../../../src/cli/stop-signals.ts'
import { readLedger } from '../../support/journal/check-journal.ts'
import { newDataDir, startProcess, type ServeProcess } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question, readStream } from '../../support/service.ts'

const streams = 16

let dataDir: string
let service: ServeProcess
beforeEach(() => {
  dataDir = newDataDir()
})
afterEach(async () => {
  await service.dispose()
  rmSync(dataDir, { recursive: true, force: true })
})

async function serve(tokensPerSecond: number, environment = {}): Promise<void> {
  service = await startProcess(
    {
      PIPIT_ENGINE: 'scripted',
      PIPIT_SLOTS: String(streams),
      PIPIT_SCRIPTED_TOKENS_PER_SECOND: String(tokensPerSecond),
      ...environment,
    },
    dataDir,
  )
}

/** Starts all streams. Once all run, returns promises of their bodies. */
async function beginStreams(): Promise<Promise<string>[]> {
  const ask = () => service.post({ ...question, max_tokens: 16, stream: true })
  const responses = await Promise.all(Array.from({ length: streams }, ask))
  expect(responses.map(({ status }) => status)).toEqual(Array(streams).fill(200))
  return responses.map(async (response) => (await readStream(response)).raw)
}

const outcomes = () => readLedger(dataDir).map(({ state, outcome }) => `${state} ${outcome}`)
const end = 'data: [DONE]\n\n'

test('SIGTERM under 16 streams ends the readiness first, lets all streams end, and exits with 0 (F14)', async () => {
  await serve(3)
  const replies = await beginStreams()
  const stopMs = performance.now()
  const exit = service.kill('SIGTERM')
  const statusOf = async (path: string) => (await fetch(service.url + path)).status
  await expect.poll(() => statusOf('/readyz')).toBe(503)
  expect(await statusOf('/healthz')).toBe(200)
  const refused = await service.post(question)
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { error: { code: 'shutting_down' } },
  ])
  const texts = await Promise.all(replies)
  expect(texts.filter((text) => text.endsWith(end))).toHaveLength(streams)
  expect(await exit).toBe(0)
  const stoppedMs = Math.round(performance.now() - stopMs)
  const settled = outcomes().filter((outcome) => /^final (length|completed)$/.test(outcome))
  expect(settled).toHaveLength(streams)
  recordFinding(
    'F14',
    `SIGTERM under ${streams} streams: /readyz got 503 and new requests got 503 while all ${streams} streams ended whole; exit code 0 after ${stoppedMs} ms, ${settled.length} entries settled.`,
  )
})

test('while it drains, the service is not ready but serves on, and asks clients to leave (F14, G9)', async () => {
  await serve(0, { PIPIT_DRAIN_SECONDS: '600' })
  const before = await service.post(question)
  expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive'])
  await before.text()
  const first = service.kill('SIGTERM')
  const readiness = async () => (await fetch(`${service.url}/readyz`)).status
  await expect.poll(readiness).toBe(503)
  const reply = await service.post(question)
  expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close'])
  await reply.text()
  const stream = await readStream(await service.post({ ...question, stream: true }))
  expect([stream.status, stream.headers.get('connection')]).toEqual([200, 'close'])
  expect(stream.done).toBe(true)
  // Commands on this machine still find the service.
  expect(existsSync(join(dataDir, 'service.json'))).toBe(true)
  await delay(sameSignalMs)
  await service.kill('SIGTERM')
  expect(await first).toBe(130)
})

test('streams that outlast the grace period are cut, and their entries are closed (F14)', async () => {
  await serve(2, { PIPIT_GRACE_SECONDS: '1' })
  const replies = await beginStreams()
  const stopMs = performance.now()
  expect(await service.kill('SIGTERM')).toBe(0)
  const stoppedMs = Math.round(performance.now() - stopMs)
  const texts = await Promise.all(replies)
  expect(texts.filter((text) => text.includes('shutting_down'))).toHaveLength(streams)
  expect(texts.filter((text) => text.endsWith(end))).toEqual([])
  expect(outcomes().filter((outcome) => outcome.startsWith('final '))).toHaveLength(streams)
  recordFinding(
    'F14',
    `With a grace period of 1 s and streams of 8 s all ${streams} streams got the error event, their entries were closed, and the exit code was 0 after ${stoppedMs} ms.`,
  )
})

test('a reply of an engine that hangs is settled before the service exits', async () => {
  service = await startProcess({ PIPIT_GRACE_SECONDS: '1' }, dataDir)
  // These end a reply.
  const endless = { max_tokens: 900, logit_bias: { 0: -100, 2: -100 } }
  const response = await service.post({ ...question, ...endless, stream: true })
  const reader = response.body?.getReader()
  let text = ''
  while (!/"content":"[^"]/.test(text))
    text += Buffer.from((await reader?.read())?.value ?? '').toString()
  process.kill(service.enginePid() ?? 0, 'SIGSTOP')
  expect(await service.kill('SIGTERM')).toBe(0)
  expect(readLedger(dataDir)).toMatchObject([{ state: 'final', outcome: 'shutdown' }])
})

test('a second SIGTERM ends the service at once, and the next start closes the entries (F14)', async () => {
  await serve(1)
  const replies = await beginStreams()
  const first = service.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(503)
  await delay(sameSignalMs)
  const stopMs = performance.now()
  await service.kill('SIGTERM')
  const stoppedMs = Math.round(performance.now() - stopMs)
  expect(await first).toBe(130)
  await Promise.all(replies)
  // The streams take 16 s.
  expect(stoppedMs).toBeLessThan(10_000)
  await serve(0)
  expect(outcomes()).toEqual(Array(streams).fill('final server_crash'))
  recordFinding(
    'F14',
    `A second SIGTERM under ${streams} streams ended the service in ${stoppedMs} ms with exit code 130; the next start closed all ${streams} entries as server_crash.`,
  )
})
