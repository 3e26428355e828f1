import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bundledModelPath } from '../../src/paths.ts'
import { describeEngine } from '../../src/engine/describe-engine.ts'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import type { Arithmetic } from '../../src/engine/engine-settings.ts'
import { type Logger, silentLogger } from '../../src/telemetry/logger.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { cancellingGguf } from '../support/gguf/cancelling-gguf.ts'
import {
  engineDefaults,
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
const cancelling = join(folder.path, 'cancelling.gguf')
writeFileSync(cancelling, cancellingGguf())
afterAll(() => folder.remove())

const questions = [
  'Hello!',
  'Is this review positive or negative? "I loved every minute of it."',
  `Summarise: ${'The bird sings in spring, and the river runs to the sea. '.repeat(8)}`,
  `Summarise: ${'Trains were late because of snow. Nobody was hurt. '.repeat(60)}`,
]

// Results may differ from llama.cpp's in some bits, so the fingerprints differ. The probabilities must be about the
// same.
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

  test('leaves two matrices of another type to llama.cpp and multiplies all others, as the metric says', async () => {
    const own = await firstTokens(mixed, arithmetic)
    const foreign = await firstTokens(mixed, 'llama.cpp')
    expect([own.kernels, foreign.kernels]).toEqual([arithmetic, 'llama.cpp'])
    // Two q2_K matrices have 21,504 of the 694,272 bytes. The embedding does not count: it is read but not
    // multiplied.
    expect(own.ownWeightsShare).toBeCloseTo(1 - 21_504 / 694_272, 6)
    expect(foreign.ownWeightsShare).toBe(0)
    expect([own.metric, foreign.metric]).toEqual([own.ownWeightsShare, 0])
    expect(own.fingerprint).not.toBe(foreign.fingerprint)
    for (const [index, logprob] of own.logprobs.entries())
      expect(Math.abs(logprob - (foreign.logprobs[index] ?? NaN))).toBeLessThan(0.1)
  })

  test("gives way to llama.cpp's on a model that both compute differently, and the start says so", async () => {
    const warnings: string[] = []
    const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) }
    const own = await firstTokens(cancelling, arithmetic, logger)
    expect([own.kernels, own.ownWeightsShare]).toEqual(['llama.cpp', 0])
    expect(own.kernelsDifference).toMatch(/^blk\.0\.attn_q\.weight differs by \d+ %$/)
    expect(own.line).toContain(
      `kernels of llama.cpp, because ours differ (${own.kernelsDifference}) · `,
    )
    expect(warnings.filter((message) => message.includes('llama.cpp'))).toEqual([
      "our own kernels compute this model differently from llama.cpp's, which are used instead",
    ])
    const foreign = await firstTokens(cancelling, 'llama.cpp')
    expect([foreign.kernelsDifference, own.fingerprint]).toEqual([undefined, foreign.fingerprint])
    expect(own.logprobs).toEqual(foreign.logprobs)
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

/** Returns the log-probability of the likeliest first token after each question, and information about the engine. */
async function firstTokens(
  modelPath: string,
  arithmetic: Arithmetic | undefined,
  logger = silentLogger,
) {
  const settings = { ...engineDefaults, modelPath, arithmetic }
  const engine = await startEngine(settings, { logger })
  try {
    const logprobs: number[] = []
    for (const question of questions) logprobs.push(await firstLogprob(engine, question))
    const line = describeEngine(settings, engine.info)
    return { logprobs, line, metric: await weightsMetric(engine), ...engine.info }
  } finally {
    await engine.close()
  }
}

/** Returns the share of weights that our own kernels compute, as the metrics page reports it. */
async function weightsMetric(engine: EmbeddedEngine): Promise<number> {
  const { registry } = createMetrics(engine, { running: 0, waiting: 0, backlogMs: 0 })
  const line = /^pipit_engine_own_weights_ratio (\S+)$/m.exec(await registry.metrics())
  return Number(line?.[1])
}

async function firstLogprob(engine: EmbeddedEngine, question: string): Promise<number> {
  const request = requestFor(await say(engine, question), { maxTokens: 1, topLogprobs: 0 })
  const found: number[] = []
  for await (const event of engine.generate(request, never))
    if (event.type === 'delta') for (const { logprob } of event.logprobs ?? []) found.push(logprob)
  return found[0] ?? NaN
}
