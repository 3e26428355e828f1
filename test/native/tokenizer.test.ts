import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NativeEngine } from '../../src/engine/embedded/child/addon.ts'
import { loadAddon } from '../../src/engine/embedded/child/addon.ts'
import { findEngineBuild } from '../../src/engine/embedded/engine-build.ts'
import { randomModelIn, temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { longText } from '../support/engine/hostile-prepares.ts'
import { bundledSize } from '../support/gguf/random-gguf.ts'
import { randomNumbers } from '../support/random/random-numbers.ts'
import { recordFinding } from '../support/reliability.ts'

const folder = temporaryFolder()
let engine: NativeEngine
beforeAll(async () => {
  const { addonPath, librariesPath } = findEngineBuild('off')
  const addon = loadAddon(addonPath)
  addon.loadBackends(librariesPath, undefined)
  engine = new addon.NativeEngine(
    {
      modelPath: randomModelIn(folder.path, bundledSize),
      slots: 1,
      contextTokens: 256,
      kvType: 'f16',
      threads: 1,
      prefillChunkTokens: 64,
      cachedTokensMax: 0,
      checkpointBytesMax: 0,
      speculativeTokensMax: 0,
      arithmetic: 'best',
    },
    () => {},
  )
  await engine.load()
})
afterAll(async () => {
  await engine.close()
  folder.remove()
})

test('a long text has the same tokens when it is tokenised in parts', async () => {
  const random = randomNumbers(3)
  const words = [
    'the',
    ' quick',
    ' ',
    '  ',
    '\n',
    '12',
    "'s",
    '!',
    'é',
    ' 漢',
    '😀',
    ' I ',
    '\t',
    '_',
  ]
  const mixed = Array.from({ length: 60_000 }, () => words[Math.floor(random() * words.length)])
  const texts = [mixed.join(''), longText(200_000), '', 'short']
  const parts = await engine.tokenizeInBackground(texts).tokens
  expect(parts.length).toBe(texts.length)
  for (const [index, text] of texts.entries()) expect(parts[index]).toEqual(engine.tokenize(text))
})

/**
 * Maximum number of measurements. The shortest one counts, because collecting the garbage of other test files also
 * takes processor time.
 */
const roundsMax = 3

test('cancelling ends the tokenising of long texts within 50 ms (T48)', async () => {
  // 4 to 8 s of work in all.
  const texts = Array.from({ length: 40 }, () => longText(1024 * 1024))
  const rounds: number[] = []
  while (rounds.length < roundsMax && !(Math.min(...rounds) < 50))
    rounds.push(await cpuMsAfterCancel(texts))
  const cpuMs = Math.min(...rounds)
  expect(cpuMs).toBeLessThan(50)
  recordFinding('T48', `Tokenising of 40 MB ended ${Math.ceil(cpuMs)} ms after it was cancelled.`)
})

/** Returns the processor time of this process, in ms, from the cancelling of running work until it ends. */
async function cpuMsAfterCancel(texts: readonly string[]): Promise<number> {
  const { tokens, cancel } = engine.tokenizeInBackground([...texts])
  const before = process.cpuUsage()
  // Waits until the work is under way.
  while (cpuMsSince(before) < 20) await new Promise((resolve) => setTimeout(resolve, 1))
  const cancelled = process.cpuUsage()
  cancel()
  await expect(tokens).rejects.toThrow('cancelled')
  return cpuMsSince(cancelled)
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
