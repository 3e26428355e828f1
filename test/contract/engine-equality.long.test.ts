import { afterAll, expect, test } from 'vitest'
import { randomModelIn, temporaryFolder } from '../support/engine-fixtures.ts'
import { compareWithPlainEngine } from '../support/equality.ts'

const folder = temporaryFolder()
const modelPath = randomModelIn(folder.path, { contextTokens: 4096, attentionShare: 0.1, seed: 2 })
afterAll(() => folder.remove())

test.each([
  { conversations: 1000, slots: 16, threads: 1 },
  // Lone rows of long sequences are added up in parts, one for each thread.
  { conversations: 60, slots: 6, threads: 2 },
])(
  '$conversations conversations are those of a plain engine, with $threads threads',
  { timeout: 900_000 },
  async (options) => {
    const seen = await compareWithPlainEngine({ modelPath, ...options })
    expect(seen.different).toEqual([])
    expect(seen.replies).toBe(3 * options.conversations)
    expect(seen.laterTurnsFound).toBeGreaterThan(options.conversations)
    expect(seen.guessedTokens).toBeGreaterThan(4 * options.conversations)
  },
)
