import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'
import { compareSamples, rareStatistic } from '../support/engine/chi-square.ts'
import {
  collect,
  never,
  randomModelIn,
  requestFor,
  say,
  startEngine,
  temporaryFolder,
} from '../support/engine/engine-fixtures.ts'
import { compareWithPlainEngine } from '../support/engine/equality.ts'

const folder = temporaryFolder()
const wandering = randomModelIn(folder.path, { contextTokens: 4096 })
const repeating = randomModelIn(folder.path, { contextTokens: 4096, attentionShare: 0.1, seed: 2 })
afterAll(() => folder.remove())

// The cases with two threads cover another order of summation, which several threads use for a lone row of a long
// sequence.
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
  '$conversations conversations equal those of a plain engine ($name model, $threads threads)',
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

// The tests above compare replies of equal seeds; this one compares the distributions of replies.
test(
  'speculative tokens do not change the distribution of replies (chi-square, 1,000 seeds each)',
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

/** Samples replies of the bundled model, which copies from this prompt in varying ways. */
async function sampleReplies(firstSeed: number, settings: { speculativeTokens?: number }) {
  const modelPath = join(packageRoot, 'model/svc-o1-mini.gguf')
  const engine = await startEngine({ modelPath, slots: 1, ...settings })
  try {
    const prompt = await say(engine, `${'red, blue, green, '.repeat(3)}red,`)
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
