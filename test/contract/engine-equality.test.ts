import { afterAll, describe, expect, test } from 'vitest'
import { randomModelIn, temporaryFolder } from '../support/engine-fixtures.ts'
import { compareWithPlainEngine, type ComparisonOptions } from '../support/equality.ts'
import { needArithmetic, ownArithmetics } from '../support/processor.ts'
import { ofOtherTypes } from '../support/random-gguf.ts'

// What makes replies faster may not change them: chunks of any size, prefixes found in the KV cache
// or in its copies, evictions, guesses, neighbours.
const folder = temporaryFolder()
const wandering = randomModelIn(folder.path, { contextTokens: 4096 })
const repeating = randomModelIn(folder.path, { contextTokens: 4096, attentionShare: 0.1, seed: 2 })
const ofMixedTypes = randomModelIn(folder.path, ofOtherTypes)
afterAll(() => folder.remove())

test.each([
  ['a model that never says the same again', { modelPath: wandering }],
  ['a model that soon repeats itself', { modelPath: repeating }],
  ['without our own arithmetic', { modelPath: wandering, arithmetic: 'llama.cpp' as const }],
  ['a quantised KV cache', { modelPath: repeating, kvType: 'q8_0' as const }],
])('%s', async (_, model) => {
  const seen = await compare(model)
  if (model.modelPath === repeating) expect(seen.speculativeTokens).toBeGreaterThan(100)
})

describe.each(ownArithmetics)('%s', (arithmetic) => {
  needArithmetic(arithmetic)

  test.each([
    ['Q8_0', wandering],
    ['other types of weights', ofMixedTypes],
  ])('computes the same for everybody: %s', async (_, modelPath) => {
    await compare({ modelPath, arithmetic })
  })
})

async function compare(model: Pick<ComparisonOptions, 'modelPath' | 'arithmetic' | 'kvType'>) {
  const seen = await compareWithPlainEngine({ ...model, conversations: 24, slots: 6, threads: 1 })
  expect(seen.different).toEqual([])
  // Otherwise nothing was compared.
  expect(seen.replies).toBe(72)
  expect(seen.laterTurnsFound).toBeGreaterThan(24)
  return seen
}
