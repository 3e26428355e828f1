import { afterAll, describe, expect, test } from 'vitest'
import { randomModelIn, temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { compareWithPlainEngine, type ComparisonOptions } from '../support/engine/equality.ts'
import { ownArithmetics, needArithmetic } from '../support/engine/processor.ts'
import { familyModelIn } from '../support/gguf/other-families.ts'
import { ofOtherTypes } from '../support/gguf/random-gguf.ts'

// No optimisation may change a reply: chunk sizes, prefix reuse, copies of the KV cache, evictions, speculative
// tokens, other requests in the batch.
const folder = temporaryFolder()
const wandering = randomModelIn(folder.path, { contextTokens: 4096 })
const repeating = randomModelIn(folder.path, { contextTokens: 4096, attentionShare: 0.1, seed: 2 })
const ofMixedTypes = randomModelIn(folder.path, ofOtherTypes)
// Sums over one block of 256 weights do not show the order of blocks.
const wide = { ...ofOtherTypes, width: 1024, heads: 8, layers: 1 }
const ofHalves = randomModelIn(folder.path, { ...ofOtherTypes, types: ['f16', 'bf16'] })
const ofQ2 = randomModelIn(folder.path, { ...wide, types: ['q2_K', 'f16'] })
const ofThreeBits = randomModelIn(folder.path, {
  ...ofOtherTypes,
  types: ['q3_K', 'iq3_s', 'iq3_xxs'],
})
// Every second layer in Q8_0, the others in F16.
const ofHeads = familyModelIn(folder.path, 'deepseek2')
afterAll(() => folder.remove())

test.each([
  ['of a model that never repeats itself', { modelPath: wandering }],
  ['of a model that soon repeats itself', { modelPath: repeating }],
  ['by the arithmetic of llama.cpp', { modelPath: wandering, arithmetic: 'llama.cpp' as const }],
  ['with a quantised KV cache', { modelPath: repeating, kvType: 'q8_0' as const }],
])('replies equal those of a plain engine: %s', async (_, model) => {
  const seen = await compare(model)
  // The engine speculates where its own measurements say that this is faster, so the number depends on the machine.
  if (model.modelPath === repeating) expect(seen.speculativeTokens).toBeGreaterThan(10)
})

describe.each(ownArithmetics)('%s', (arithmetic) => {
  needArithmetic(arithmetic)

  test.each([
    ['Q8_0', wandering],
    ['other types of weights', ofMixedTypes],
    ['16-bit floats', ofHalves],
    ['Q2_K, which llama.cpp could reorder', ofQ2],
    ['three bits, for which llama.cpp has a kernel for many rows', ofThreeBits],
    ['a matrix for each head', ofHeads],
  ])('computes the same reply for every request: %s', async (_, modelPath) => {
    await compare({ modelPath, arithmetic })
  })
})

async function compare(model: Pick<ComparisonOptions, 'modelPath' | 'arithmetic' | 'kvType'>) {
  const seen = await compareWithPlainEngine({ ...model, conversations: 12, slots: 6, threads: 1 })
  expect(seen.different).toEqual([])
  // The comparison must have covered whole conversations and prefix reuse.
  expect(seen.replies).toBe(36)
  expect(seen.laterTurnsFound).toBeGreaterThan(12)
  return seen
}
