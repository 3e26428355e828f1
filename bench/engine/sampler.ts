import type { Sampling } from '../../src/engine/engine.ts'
import { randomNumbers } from '../../test/support/random/random-numbers.ts'
import { buildForTests } from '../../tools/build.mjs'
import type { BenchOptions } from '../options.ts'
import { figure, progress, table } from '../report.ts'

/** The vocabulary of Qwen 2.5 and Qwen 3. */
const vocabularySize = 151_936
const seed = 7
const tokensPerCall = 200
const callsPerRound = 5

const shapes = { level: levelLogits(), steep: steepLogits() }
const settings: Record<string, Partial<Sampling>> = {
  'top-p 0.95': { topP: 0.95 },
  // Most draws are refused here. The API admits temperatures up to 1.
  'top-p 0.1, temperature 1': { topP: 0.1, temperature: 1 },
  'top-p 0.95, top-k 40': { topP: 0.95, topK: 40 },
  'temperature alone': {},
  greedy: { temperature: 0 },
}

/** Measures the sampler alone: processor time per token for logits of a large vocabulary. */
export async function benchSampler({ rounds }: BenchOptions): Promise<string> {
  await buildForTests()
  // This module loads the addon, so it can only be imported once the addon is built.
  const { testAddon } = await import('../../test/native/test-addon.ts')
  const times = new Map<string, number[]>()
  for (let call = 0; call < rounds * callsPerRound; call++) {
    if (call % callsPerRound === 0) progress(`round ${call / callsPerRound + 1}`)
    for (const [shape, logits] of Object.entries(shapes))
      for (const [name, setting] of Object.entries(settings)) {
        const sampling = { temperature: 0.7, topP: 1, topK: 0, minP: 0, seed: call, ...setting }
        const sample = (tokens: number) =>
          processorMs(() => testAddon.sampleTokens(logits, sampling, tokens))
        // A call for no tokens only builds the vocabulary.
        const ms = (sample(tokensPerCall) - sample(0)) / tokensPerCall
        const key = `${shape}, ${name}`
        times.set(key, [...(times.get(key) ?? []), ms])
      }
  }
  const row = (name: string) =>
    Object.keys(shapes).map((shape) => figure(times.get(`${shape}, ${name}`) ?? [], 3))
  return [
    `Processor time of one thread per sampled token, ms, median (least–most) of ${rounds * callsPerRound} calls of ${tokensPerCall} tokens each;`,
    `${vocabularySize.toLocaleString('en')} random logits (seed ${seed}), temperature 0.7 unless stated. Of the level shape, top-p 0.95 keeps ${keptBy(shapes.level)} tokens,`,
    `of the steep one ${keptBy(shapes.steep)}.`,
    '',
    table(
      ['', ...Object.keys(shapes)],
      Object.keys(settings).map((name) => [name, ...row(name)]),
    ),
  ].join('\n')
}

/** Returns normally distributed logits, like those of a model that sees many ways to go on. */
function levelLogits(): Float32Array {
  const random = randomNumbers(seed)
  return Float32Array.from({ length: vocabularySize }, () => 2 * normal(random))
}

/** Returns logits with 40 tokens far above the others, like those of a model that is nearly sure. */
function steepLogits(): Float32Array {
  const random = randomNumbers(seed)
  const logits = levelLogits()
  for (let rank = 1; rank <= 40; rank++)
    logits[Math.floor(random() * vocabularySize)] = 20 - 2 * Math.log(rank)
  return logits
}

/** Draws from the standard normal distribution (Box-Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Returns how many of the most likely tokens it takes to reach a probability of 0.95. */
function keptBy(logits: Float32Array): string {
  const weights = Float64Array.from(logits, Math.exp).toSorted().toReversed()
  let left = 0.95 * weights.reduce((sum, weight) => sum + weight, 0)
  const kept = weights.findIndex((weight) => (left -= weight) <= 0) + 1
  return kept.toLocaleString('en')
}

/** Returns the processor time of this process in ms. Other programs on the machine do not add to it. */
function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
