import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  newDataDir,
  residentBytes,
  startProcess,
  type ServeProcess,
} from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question } from '../../support/service.ts'

test('a log pipe that is not read delays neither requests nor the stop, and lost lines are counted (F44)', async () => {
  const pipe = openPipe()
  const service = await serveWithLog(pipe.file)
  const before = residentBytes(service.pid)
  const { requests, slowestMs } = await askUntilLinesAreLost(service)
  const grownMiB = Math.round((residentBytes(service.pid) - before) / 1024 / 1024)

  const lost = await linesDropped(service)
  const report = await pipe.readUntil('log lines were dropped')
  expect(JSON.parse(report)).toMatchObject({ level: 40, count: lost })

  await askMany(service, 10)
  const stopMs = performance.now()
  expect(await service.kill('SIGTERM')).toBe(0)
  const stoppedMs = Math.round(performance.now() - stopMs)
  expect(stoppedMs).toBeLessThan(5000)
  recordFinding(
    'F44',
    `Standard error was a pipe that nothing read: ${requests} of ${requests} requests were answered, the slowest in ${slowestMs} ms, memory grew by ${grownMiB} MiB, and the metric counted ${lost} lost lines. SIGTERM ended the service in ${stoppedMs} ms with exit code 0.`,
  )
})

test('a full disk for the log delays neither requests nor the stop, and lost lines are counted (F44)', async () => {
  const fullDisk = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(fullDisk))
  const service = await serveWithLog(fullDisk)
  const { requests, slowestMs } = await askUntilLinesAreLost(service)
  expect(await service.kill('SIGTERM')).toBe(0)
  recordFinding(
    'F44',
    `Every write of the log failed with ENOSPC: ${requests} of ${requests} requests were answered, the slowest in ${slowestMs} ms, and the service stopped with exit code 0.`,
  )
})

async function serveWithLog(file: number): Promise<ServeProcess> {
  const environment = { PIPIT_ENGINE: 'scripted', PIPIT_LOG_LEVEL: 'info' }
  const service = await startProcess(environment, newDataDir(), file)
  onTestFinished(() => service.dispose())
  return service
}

/** Sends requests until the service has lost lines of its log. */
async function askUntilLinesAreLost(service: ServeProcess) {
  let [requests, slowestMs] = [0, 0]
  while ((await linesDropped(service)) === 0) {
    slowestMs = Math.max(slowestMs, await askMany(service, 10))
    requests += 320
    expect(requests).toBeLessThan(10_000)
  }
  return { requests, slowestMs: Math.round(slowestMs) }
}

/** Sends rounds of 32 requests, which all succeed, and returns the time of the slowest. Each request logs some 450 bytes. */
async function askMany(service: ServeProcess, rounds: number): Promise<number> {
  let slowestMs = 0
  const one = async () => {
    const startMs = performance.now()
    const response = await service.post({ ...question, max_tokens: 1 })
    await response.arrayBuffer()
    slowestMs = Math.max(slowestMs, performance.now() - startMs)
    return response.status
  }
  for (let round = 0; round < rounds; round += 1) {
    const statuses = await Promise.all(Array.from({ length: 32 }, one))
    expect(new Set(statuses)).toEqual(new Set([200]))
  }
  return slowestMs
}

async function linesDropped(service: ServeProcess): Promise<number> {
  return Number(/^pipit_log_lines_dropped_total (\S+)$/m.exec(await service.metrics())?.[1])
}

/** Opens a pipe whose reader reads nothing until `readUntil`, which returns the first line that contains a text. */
function openPipe() {
  const folder = newDataDir()
  const path = join(folder, 'log')
  execFileSync('mkfifo', [path])
  const file = openSync(path, constants.O_RDWR)
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  onTestFinished(() => {
    closeSync(file)
    closeSync(reader)
    rmSync(folder, { recursive: true })
  })
  let read = ''
  const lineWith = (text: string) => {
    read += readAvailable(reader)
    return read
      .split('\n')
      .slice(0, -1)
      .find((line) => line.includes(text))
  }
  const readUntil = (text: string) => vi.waitUntil(() => lineWith(text), { timeout: 15_000 })
  return { file, readUntil }
}

function readAvailable(file: number): string {
  const bytes = Buffer.alloc(256 * 1024)
  let text = ''
  try {
    for (;;) text += bytes.toString('utf8', 0, readSync(file, bytes))
  } catch {
    // The pipe is empty.
    return text
  }
}
