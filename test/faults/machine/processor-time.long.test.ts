import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomModelIn, temporaryFolder } from '../../support/engine/engine-fixtures.ts'
import { removeControlGroup } from '../../support/faults/remove-control-group.ts'
import { bundledSize } from '../../support/gguf/random-gguf.ts'
import { childrenOf, startProcess, type ServeProcess } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question } from '../../support/service.ts'

const deadlineMs = 8000
const atOnce = 40
const group = makeGroup()
const folder = temporaryFolder()
const modelPath = randomModelIn(folder.path, bundledSize)

let service: ServeProcess
beforeAll(async () => {
  service = await startProcess({
    PIPIT_MODEL: modelPath,
    PIPIT_SLOTS: '2',
    PIPIT_THREADS: '1',
    PIPIT_LOG_LEVEL: 'silent',
  })
})
afterAll(async () => {
  await service.dispose()
  folder.remove()
  if (group !== undefined) await removeControlGroup(group.path)
})

type Outcome = { status: number; ms: number; reason: string | null }

/** Sends a request that wants a slot within the deadline. */
async function ask(): Promise<Outcome> {
  const startMs = performance.now()
  const headers = { 'x-request-timeout-ms': String(deadlineMs) }
  const response = await service.post({ ...question, max_tokens: 200, seed: 1 }, { headers })
  await response.arrayBuffer()
  const reason = response.headers.get('x-drop-reason')
  return { status: response.status, ms: performance.now() - startMs, reason }
}
const askMany = (count: number) => Promise.all(Array.from({ length: count }, ask))
const meanMs = (outcomes: readonly Outcome[]) =>
  outcomes.reduce((sum, { ms }) => sum + ms, 0) / outcomes.length

test('with a tenth of a processor the service serves what it can within the deadlines, and refuses the rest (F26)', async ({
  skip,
}) => {
  skip(group === undefined, 'this user may not make a cgroup with a quota of the processor')
  // Sends enough requests for the service to measure its rates.
  for (let i = 0; i < 6; i += 1) await askMany(2)
  const fast = await askMany(atOnce)
  expect(fast.map(({ status }) => status)).toEqual(Array(atOnce).fill(200))
  const fastMs = meanMs(await askMany(2))

  for (const pid of [service.pid, ...childrenOf(service.pid)]) group?.add(pid)
  for (let i = 0; i < 8; i += 1) await askMany(2)
  const slowMs = meanMs(await askMany(2))
  expect(slowMs).toBeGreaterThan(3 * fastMs)

  const burst = await askMany(atOnce)
  const served = burst.filter(({ status }) => status === 200)
  const refused = burst.filter(({ status }) => status === 503)
  expect(served.length + refused.length).toBe(atOnce)
  expect(served.length).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(0)
  // A request must start before its deadline, but may end after it.
  for (const { ms } of served) expect(ms).toBeLessThan(deadlineMs + 4 * slowMs)
  for (const { ms, reason } of refused) {
    expect(reason).toBe('deadline')
    expect(ms).toBeLessThan(deadlineMs + 2000)
  }
  expect(await service.metrics()).toMatch(/^pipit_engine_restarts_total 0$/m)
  const early = refused.filter(({ ms }) => ms < deadlineMs / 2).length
  const slowest = Math.round(Math.max(...served.map(({ ms }) => ms)))
  recordFinding(
    'F26',
    `With 10 % of one processor (cgroup) a reply took ${Math.round(slowMs)} ms instead of ${Math.round(fastMs)}. Of ${atOnce} requests at once with a deadline of ${deadlineMs / 1000} s, all of which were served at full speed, ${served.length} were served, the slowest in ${slowest} ms, and ${refused.length} got 503, ${early} of them in less than half the deadline. The engine was not restarted.`,
  )
}, 180_000)

/** Makes a cgroup with a tenth of a processor; returns undefined if this user may not make one. */
function makeGroup(): { path: string; add: (pid: number) => void } | undefined {
  const isSecondVersion = existsSync('/sys/fs/cgroup/cgroup.controllers')
  const path = join(
    isSecondVersion ? '/sys/fs/cgroup' : '/sys/fs/cgroup/cpu',
    `pipit-${process.pid}`,
  )
  try {
    mkdirSync(path)
    if (isSecondVersion) writeFileSync(join(path, 'cpu.max'), '10000 100000')
    else {
      writeFileSync(join(path, 'cpu.cfs_period_us'), '100000')
      writeFileSync(join(path, 'cpu.cfs_quota_us'), '10000')
    }
    return { path, add: (pid) => writeFileSync(join(path, 'cgroup.procs'), String(pid)) }
  } catch {
    return undefined
  }
}
