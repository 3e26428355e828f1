import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'
import { compareSamples, rareStatistic } from '../support/chi-square.ts'
import {
  collect,
  never,
  randomModelIn,
  requestFor,
  say,
  startEngine,
  temporaryFolder,
} from '../support/engine-fixtures.ts'
import { compareWithPlainEngine } from '../support/equality.ts'

const folder = temporaryFolder()
const wandering = randomModelIn(folder.path, { contextTokens: 4096 })
const repeating = randomModelIn(folder.path, { contextTokens: 4096, attentionShare: 0.1, seed: 2 })
afterAll(() => folder.remove())

// With several threads, lone rows of long sequences are added up in parts.
test.each([
  { name: 'wandering', modelPath: wandering, conversations: 1000, slots: 16, threads: 1 },
  { name: 'wandering', modelPath: wandering, conversations: 60, slots: 6, threads: 2 },
  {
    name: 'wandering, foreign',
    modelPath: wandering,
    conversations: 60,
    slots: 6,
    threads: 2,
    arithmetic: 'llama.cpp' as const,
  },
  { name: 'repeating', modelPath: repeating, conversations: 60, slots: 6, threads: 2 },
])(
  '$conversations conversations of a $name model are those of a plain engine, $threads threads',
  { timeout: 1_800_000 },
  async ({ name, ...options }) => {
    const seen = await compareWithPlainEngine(options)
    expect(seen.different).toEqual([])
    expect(seen.replies).toBe(3 * options.conversations)
    expect(seen.laterTurnsFound).toBeGreaterThan(options.conversations)
    if (name === 'repeating')
      expect(seen.speculativeTokens).toBeGreaterThan(4 * options.conversations)
  },
)

// The same bytes from the same seed are tested above; this asks for no seed in common.
test(
  'guesses leave the distribution of replies as it is: chi-square over 1,000 seeds of each',
  { timeout: 600_000 },
  async () => {
    const guessed = await sampleReplies(1, {})
    const plain = await sampleReplies(1001, { speculativeTokens: 0 })
    expect(guessed.speculativeTokens).toBeGreaterThan(2000)
    expect(plain.speculativeTokens).toBe(0)
    const { statistic, degreesOfFreedom } = compareSamples(guessed.replies, plain.replies)
    expect(degreesOfFreedom).toBeGreaterThan(10)
    expect(statistic).toBeLessThan(rareStatistic(degreesOfFreedom))
  },
)

/** Of the bundled model, which copies from this prompt but not always in the same way. */
async function sampleReplies(firstSeed: number, settings: { speculativeTokens?: number }) {
  const modelPath = join(packageRoot, 'model/svc-o1-mini.gguf')
  const engine = await startEngine({ modelPath, slots: 1, ...settings })
  try {
    const list = 'red, blue, green, red, blue, green, red, blue, green'
    const prompt = await say(engine, `Repeat this list: ${list}`)
    const replies: string[] = []
    for (let seed = firstSeed; seed < firstSeed + 1000; seed++) {
      const request = requestFor(prompt, { maxTokens: 16, temperature: 1, seed })
      replies.push((await collect(engine.generate(request, never))).text)
    }
    return { replies, speculativeTokens: engine.stats().speculativeTokens }
  } finally {
    await engine.close()
  }
}
