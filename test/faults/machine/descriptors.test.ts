import { execFileSync } from 'node:child_process'
import { Agent, request } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { randomModelIn, temporaryFolder } from '../../support/engine/engine-fixtures.ts'
import { Flood } from '../../support/http/connection-floods.ts'
import { openFiles, startProcess, type ServeProcess } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question } from '../../support/service.ts'

const descriptorsMax = 128
const body = JSON.stringify({ ...question, max_tokens: 4 })

const folder = temporaryFolder()
const modelPath = randomModelIn(folder.path)
let service: ServeProcess
let flood: Flood
/** A client whose connection was opened before the flood. */
let agent: Agent
beforeEach(async () => {
  service = await startProcess({ PIPIT_MODEL: modelPath, PIPIT_THREADS: '1' })
  flood = new Flood()
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
})
afterEach(async () => {
  flood.close()
  agent.destroy()
  await service.dispose()
  folder.remove()
})

test('without a free file descriptor open connections are served, new ones are closed, and the engine is restarted later (F24)', async () => {
  expect(await askOnKeptConnection()).toBe(200)
  limitDescriptors(descriptorsMax)
  await flood.open(service.url, 2 * descriptorsMax)
  await expect.poll(() => openFiles(service.pid)).toBeGreaterThan(descriptorsMax - 3)

  const served: unknown[] = []
  for (let i = 0; i < 20; i += 1) served.push(await askOnKeptConnection())
  expect(served).toEqual(Array(20).fill(200))
  const refused = await ask(new Agent())
  expect(refused).not.toBe(200)

  const enginePid = service.enginePid() ?? 0
  // Leaves no descriptors for the pipes of the next engine process.
  limitDescriptors(3)
  process.kill(enginePid, 'SIGKILL')
  await expect
    .poll(() => service.output().stderr, { timeout: 10_000 })
    .toContain('could not be started: EMFILE')
  expect(service.enginePid()).toBeUndefined()

  const freedMs = performance.now()
  limitDescriptors(descriptorsMax)
  flood.close()
  await expect.poll(() => ask(new Agent()), { timeout: 30_000 }).toBe(200)
  const recoveredMs = Math.round(performance.now() - freedMs)
  expect(service.enginePid()).not.toBe(enginePid)
  expect(await service.kill('SIGTERM')).toBe(0)
  recordFinding(
    'F24',
    `With ${descriptorsMax} descriptors (prlimit) and ${2 * descriptorsMax} connections, 20 of 20 requests of an open connection were answered and a new connection got ${refused}. The engine, killed meanwhile, could not be started; ${recoveredMs} ms after the connections were closed a new client was answered, by the same front process.`,
  )
}, 60_000)

function limitDescriptors(most: number): void {
  execFileSync('prlimit', ['--pid', String(service.pid), `--nofile=${most}:`])
}

const askOnKeptConnection = () => ask(agent)

/** Returns the status of a completion, or the code of the failure. */
function ask(by: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
    const url = `${service.url}/v1/chat/completions`
    const sent = request(url, { agent: by, method: 'POST', headers, timeout: 10_000 }, (response) =>
      response.resume().once('end', () => resolve(response.statusCode ?? 0)),
    )
    sent.once('timeout', () => sent.destroy(new Error('timeout')))
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end(body)
  })
}
