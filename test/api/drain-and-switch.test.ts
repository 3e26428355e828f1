import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryReserveBytes } from '../../src/limits.ts'
import { readSwitchStatus } from '../../src/models/switching/switch-status.ts'
import { writeChoice } from '../../src/models/used-model.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { randomGguf } from '../support/gguf/random-gguf.ts'
import { storeModel } from '../support/models/stored-model.ts'
import { question, startTestService, type TestService } from '../support/service.ts'

/** Enough memory for one small model, but not for two. */
const availableBytes = Math.round(memoryReserveBytes * 1.8)

async function startWith(models: Record<string, Buffer>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(models)) await storeModel(dataDir, name, content)
  const environment = { PIPIT_ENGINE: 'embedded', PIPIT_SLOTS: '2' }
  const lines: string[] = []
  const logger = { ...silentLogger, info: (line: string) => lines.push(line) }
  const options = { dataDir, environment, availableBytes, logger, isSwitchable: true }
  const service = await startTestService(options)
  onTestFinished(() => service.close())
  return { service, dataDir, lines }
}

/** Sends requests from four callers until `stop` is called. `seen` has their statuses and fingerprints in order. */
function loadOn(service: TestService) {
  const seen: { status: number; fingerprint: unknown }[] = []
  let isStopped = false
  const callers = Array.from({ length: 4 }, async () => {
    while (!isStopped) {
      const reply = await service.post({ ...question, max_tokens: 24 })
      const { system_fingerprint: fingerprint } = (await reply.json()) as Record<string, unknown>
      seen.push({ status: reply.status, fingerprint })
    }
  })
  const stop = async () => {
    isStopped = true
    await Promise.all(callers)
    return seen
  }
  return { seen, stop }
}

async function choose(dataDir: string, name: string) {
  const choiceId = await writeChoice(dataDir, name)
  await expect
    .poll(() => readSwitchStatus(dataDir), { timeout: 30_000 })
    .toMatchObject({ choiceId, state: expect.stringMatching(/ready|failed/) })
  return readSwitchStatus(dataDir)
}

test('where memory is short, the old model is drained first, and no request fails or meets the wrong model', async () => {
  const { service, dataDir, lines } = await startWith({ tiny: randomGguf({ contextTokens: 1024 }) })
  const { seen, stop } = loadOn(service)
  await expect.poll(() => seen.length, { timeout: 30_000 }).toBeGreaterThan(3)
  expect(await choose(dataDir, 'tiny')).toMatchObject({ state: 'ready' })
  expect(lines).toContainEqual(expect.stringContaining('the earlier one is unloaded first'))
  const atSwitch = seen.length
  await expect.poll(() => seen.length, { timeout: 30_000 }).toBeGreaterThan(atSwitch + 8)
  const all = await stop()
  expect(all.filter(({ status }) => status !== 200)).toEqual([])
  const [first, last] = [all[0]?.fingerprint, all.at(-1)?.fingerprint]
  expect(first).not.toBe(last)
  // Each reply has one of the two fingerprints. After the first reply of the new model, none is from the old one.
  const begin = all.findIndex(({ fingerprint }) => fingerprint === last)
  expect(new Set(all.slice(0, begin).map(({ fingerprint }) => fingerprint))).toEqual(
    new Set([first]),
  )
  expect(new Set(all.slice(begin).map(({ fingerprint }) => fingerprint))).toEqual(new Set([last]))
}, 120_000)

test('where memory is short and the new model is bad, the old one is loaded again without a failed request', async () => {
  // The header is valid, but the weights are missing.
  const bad = randomGguf().subarray(0, 60_000)
  const { service, dataDir, lines } = await startWith({ bad })
  const { seen, stop } = loadOn(service)
  await expect.poll(() => seen.length, { timeout: 30_000 }).toBeGreaterThan(3)
  const status = await choose(dataDir, 'bad')
  expect(status).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('m.gguf cannot be used'),
  })
  expect(lines).toContainEqual(expect.stringContaining('the earlier one is unloaded first'))
  const after = seen.length
  await expect.poll(() => seen.length, { timeout: 30_000 }).toBeGreaterThan(after + 4)
  const all = await stop()
  expect(all.filter(({ status: code }) => code !== 200)).toEqual([])
  expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(1)
}, 120_000)
