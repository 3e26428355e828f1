import { afterAll, describe, test } from 'vitest'
import { temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { vocabularyRules, nameOf } from './combinations.ts'
import { compareTokens } from './compare-tokens.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

describe("the tokens of prompts equal llama-server's", () => {
  test.each(vocabularyRules.map((combination) => ({ name: nameOf(combination), combination })))(
    '$name',
    async ({ combination }) => {
      await compareTokens(folder.path, combination)
    },
  )
})
