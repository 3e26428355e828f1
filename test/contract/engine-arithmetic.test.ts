import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'
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
import { needArithmetic, ownArithmetics } from '../support/engine/processor.ts'
import { ofOtherTypes } from '../support/gguf/random-gguf.ts'

const folder = temporaryFolder()
const models = [
  ['the bundled model', join(packageRoot, 'model/svc-o1-mini.gguf')],
  ['a random model of other types of weights', randomModelIn(folder.path, ofOtherTypes)],
] as const
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
})

/** Returns the log-probability of the likeliest first token after each question. */
async function firstTokens(modelPath: string, arithmetic: Arithmetic) {
  const engine = await startEngine({ modelPath, arithmetic })
  try {
    const logprobs: number[] = []
    for (const question of questions) logprobs.push(await firstLogprob(engine, question))
    return { logprobs, fingerprint: engine.info.fingerprint }
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
