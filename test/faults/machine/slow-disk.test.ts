import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { journalFaults, readLedger } from '../../support/journal/check-journal.ts'
import { askAndNote } from '../../support/journal/client-journal.ts'
import { openJournal } from '../../support/journal/open-journal.ts'
import { startProcess, type ServeProcess } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question } from '../../support/service.ts'

const flushMs = 500
const clients = 24

let service: ServeProcess
beforeAll(async () => {
  service = await startProcess({
    PIPIT_ENGINE: 'scripted',
    PIPIT_SLOTS: String(clients + 1),
    // A reply takes longer than the commit of its reservation, so each reply has two commits.
    PIPIT_SCRIPTED_TOKENS_PER_SECOND: '6',
  })
})
afterAll(() => service.dispose())

test('on a disk that takes 500 ms for each flush no acknowledged reply is lost, and refusals do not wait (F09)', async ({
  skip,
}) => {
  skip(spawnSync('strace', ['-V']).error !== undefined, 'strace is not installed')
  const journal = openJournal()
  const ask = () => askAndNote(journal, service.post, { ...question, max_tokens: 8 })
  expect(await ask()).toBeDefined()
  await slowFlushesDown()

  const replyMs: number[] = []
  const refusalMs: number[] = []
  const healthMs: number[] = []
  const ended = new AbortController()
  const repeat = async (once: () => Promise<unknown>, times: number[]) => {
    while (!ended.signal.aborted) {
      const startMs = performance.now()
      await once()
      times.push(performance.now() - startMs)
      await delay(20)
    }
  }
  const running = Promise.allSettled([
    ...Array.from({ length: clients }, () => repeat(ask, replyMs)),
    repeat(() => refused({ ...question, max_tokens: -1 }, 400), refusalMs),
    repeat(() => refused(question, 401, 'sk-pipit-wrong'), refusalMs),
    repeat(isAlive, healthMs),
  ])
  await delay(2500)
  // Kills the service right after a reply, when writes that are not acknowledged may still be on their way to the disk.
  const beginMs = performance.now()
  expect(await ask()).toBeDefined()
  await service.kill('SIGKILL')
  const lastMs = performance.now() - beginMs
  ended.abort()
  // Requests that the kill cuts fail with a TypeError. A refusal with a wrong status would be another error.
  for (const one of await running)
    if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(TypeError)

  expect(journal.acknowledged.length).toBeGreaterThan(clients)
  expect(lastMs).toBeGreaterThan(flushMs)
  const rows = readLedger(service.dataDir)
  expect(journalFaults({ acknowledged: journal.acknowledged, rows })).toEqual([])
  expect(median(replyMs)).toBeGreaterThan(flushMs)
  expect(median(refusalMs)).toBeLessThan(50)
  expect(median(healthMs)).toBeLessThan(50)
  const [p99, health] = [refusalMs, healthMs].map((times) => Math.round(quantile(times, 0.99)))
  recordFinding(
    'F09',
    `With ${flushMs} ms for each fdatasync (strace) ${journal.acknowledged.length} replies were acknowledged, at the median in ${Math.round(median(replyMs))} ms; after kill -9 each had its entry with equal usage. ${refusalMs.length} refusals took ${median(refusalMs).toFixed(1)} ms at the median and ${p99} ms at the 99th percentile, and /healthz ${health} ms.`,
  )
})

/** Delays each flush of the running service, and returns once all its threads are traced. */
async function slowFlushesDown(): Promise<void> {
  const flushes = ['-e', 'trace=fsync,fdatasync']
  const delayed = ['-e', `inject=fsync,fdatasync:delay_enter=${flushMs * 1000}`]
  const args = ['-f', '-qq', '-o', '/dev/null', ...flushes, ...delayed, '-p', String(service.pid)]
  const strace = spawn('strace', args, { stdio: 'ignore' })
  onTestFinished(() => void strace.kill('SIGKILL'))
  const isTraced = (thread: string) =>
    !/^TracerPid:\s0$/m.test(readFileSync(`/proc/${service.pid}/task/${thread}/status`, 'utf8'))
  await vi.waitUntil(() => readdirSync(`/proc/${service.pid}/task`).every(isTraced), 5000)
}

async function refused(body: object, status: number, key = service.key): Promise<void> {
  const response = await service.post(body, { key })
  await response.arrayBuffer()
  expect(response.status).toBe(status)
}

async function isAlive(): Promise<void> {
  const response = await fetch(`${service.url}/healthz`)
  await response.arrayBuffer()
  expect(response.status).toBe(200)
}

const median = (values: readonly number[]) => quantile(values, 0.5)

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Infinity
}
