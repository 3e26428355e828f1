import { afterAll, describe, expect, test } from 'vitest'
import { bundledModelPath } from '../../src/paths.ts'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import type { Arithmetic } from '../../src/engine/engine-settings.ts'
import {
  never,
  randomModelIn,
  requestFor,
  say,
  startEngine,
  temporaryFolder,
} from '../support/engine/engine-fixtures.ts'
import { ownArithmetics, fastestArithmetic, needArithmetic } from '../support/engine/processor.ts'
import { ofOtherTypes, withForeignTypes } from '../support/gguf/random-gguf.ts'

const folder = temporaryFolder()
const models = [
  ['the bundled model', bundledModelPath],
  ['a random model of other types of weights', randomModelIn(folder.path, ofOtherTypes)],
] as const
const mixed = randomModelIn(folder.path, { ...withForeignTypes, seed: 6 })
afterAll(() => folder.remove())

const questions = [
  'Hello!',
  'Is this review positive or negative? "I loved every minute of it."',
  `Summarise: ${'The bird sings in spring, and the river runs to the sea. '.repeat(8)}`,
  `Summarise: ${'Trains were late because of snow. Nobody was hurt. '.repeat(60)}`,
]

// The bits may differ, so the fingerprints differ; the probabilities must stay about the same.
describe.each(ownArithmetics)('%s', (arithmetic) => {
  needArithmetic(arithmetic)

  test.each(models)('gives about the same log-probabilities as llama.cpp: %s', async (_, path) => {
    const own = await firstTokens(path, arithmetic)
    const foreign = await firstTokens(path, 'llama.cpp')
    expect(own.fingerprint).not.toBe(foreign.fingerprint)
    expect(own.logprobs).toHaveLength(questions.length)
    for (const [index, logprob] of own.logprobs.entries())
      expect(Math.abs(logprob - (foreign.logprobs[index] ?? NaN))).toBeLessThan(0.1)
  })

  test('leaves two matrices of another type to llama.cpp and multiplies all others', async () => {
    const own = await firstTokens(mixed, arithmetic)
    const foreign = await firstTokens(mixed, 'llama.cpp')
    expect([own.kernels, foreign.kernels]).toEqual([arithmetic, 'llama.cpp'])
    // 36,864 of 709,632 bytes: the embedding is read and not multiplied.
    expect(own.ownWeightsShare).toBeCloseTo(1 - 36_864 / 709_632, 6)
    expect(foreign.ownWeightsShare).toBe(0)
    expect(own.fingerprint).not.toBe(foreign.fingerprint)
    for (const [index, logprob] of own.logprobs.entries())
      expect(Math.abs(logprob - (foreign.logprobs[index] ?? NaN))).toBeLessThan(0.1)
  })

  test('multiplies all matrices of the bundled model', async () => {
    const { ownWeightsShare } = await firstTokens(bundledModelPath, arithmetic)
    expect(ownWeightsShare).toBe(1)
  })
})

test('without a choice, the fastest kernels of this processor run', async () => {
  expect((await firstTokens(bundledModelPath, undefined)).kernels).toBe(fastestArithmetic())
})

describe('avx2 beside avx-vnni', () => {
  needArithmetic('avx-vnni')

  test.each(models)('gives the same log-probabilities, bit for bit: %s', async (_, path) => {
    const avx2 = await firstTokens(path, 'avx2')
    expect(avx2.kernels).toBe('avx2')
    expect(avx2.logprobs).toEqual((await firstTokens(path, 'avx-vnni')).logprobs)
  })
})

/** Returns the log-probability of the likeliest first token after each question. */
async function firstTokens(modelPath: string, arithmetic: Arithmetic | undefined) {
  const engine = await startEngine({ modelPath, arithmetic })
  try {
    const logprobs: number[] = []
    for (const question of questions) logprobs.push(await firstLogprob(engine, question))
    return { logprobs, ...engine.info }
  } finally {
    await engine.close()
  }
}

async function firstLogprob(engine: EmbeddedEngine, question: string): Promise<number> {
  const request = requestFor(await say(engine, question), { maxTokens: 1, topLogprobs: 0 })
  const found: number[] = []
  for await (const event of engine.generate(request, never))
    if (event.type === 'delta') for (const { logprob } of event.logprobs ?? []) found.push(logprob)
  return found[0] ?? NaN
}
