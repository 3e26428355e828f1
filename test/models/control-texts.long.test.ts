import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { leaksOfAllTemplates } from '../support/models/marker-leaks.ts'
import { vocabularyNames } from '../support/models/release-files.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

test.for(vocabularyNames())(
  'no text of a caller becomes a token of a chat template with the vocabulary %s (T20)',
  { timeout: 600_000 },
  async (vocabulary) => {
    for (const type of ['userDefined', 'control'] as const) {
      const { checked, leaking } = await leaksOfAllTemplates(folder.path, vocabulary, type)
      expect(leaking).toEqual([])
      expect(checked).toBeGreaterThan(400)
    }
  },
)
