import { afterAll, expect, test } from 'vitest'
import { randomModelIn, temporaryFolder } from '../support/engine-fixtures.ts'
import { compareWithPlainEngine } from '../support/equality.ts'

const folder = temporaryFolder()
const wandering = randomModelIn(folder.path, { contextTokens: 4096 })
const repeating = randomModelIn(folder.path, { contextTokens: 4096, attentionShare: 0.1, seed: 2 })
afterAll(() => folder.remove())

// With several threads, lone rows of long sequences are added up in parts.
test.each([
  { name: 'wandering', modelPath: wandering, conversations: 1000, slots: 16, threads: 1 },
  { name: 'wandering', modelPath: wandering, conversations: 60, slots: 6, threads: 2 },
  { name: 'repeating', modelPath: repeating, conversations: 60, slots: 6, threads: 2 },
])(
  '$conversations conversations of a $name model are those of a plain engine, $threads threads',
  { timeout: 900_000 },
  async ({ name, ...options }) => {
    const seen = await compareWithPlainEngine(options)
    expect(seen.different).toEqual([])
    expect(seen.replies).toBe(3 * options.conversations)
    expect(seen.laterTurnsFound).toBeGreaterThan(options.conversations)
    if (name === 'repeating') expect(seen.guessedTokens).toBeGreaterThan(4 * options.conversations)
  },
)
