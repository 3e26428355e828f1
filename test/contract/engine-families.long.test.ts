import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { compareWithPlainEngine } from '../support/engine/equality.ts'
import { familyModelIn, otherFamilies } from '../support/gguf/other-families.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

describe.each(otherFamilies)('%s', (family) => {
  const modelPath = familyModelIn(folder.path, family)

  test.each([
    ['by our own arithmetic', {}],
    ['by the arithmetic of llama.cpp', { arithmetic: 'llama.cpp' as const }],
    ['with a quantised KV cache', { kvType: 'q8_0' as const }],
  ])('48 conversations get the replies of a plain engine: %s', async (_, options) => {
    const settings = { modelPath, conversations: 48, slots: 6, threads: 1, ...options }
    const seen = await compareWithPlainEngine(settings)
    expect(seen).toMatchObject({ different: [], replies: 144 })
    expect(seen.laterTurnsFound).toBeGreaterThan(40)
  })
})
