import { afterAll, test } from 'vitest'
import { temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { checkThoughts, thinkingFamilies } from '../support/models/thinking-families.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

test.each(['Ministral 3', 'Qwen 3.5', 'gpt-oss (Harmony)'] as const)(
  '%s thinks apart from its answer, and reaches it within max_tokens',
  (name) => checkThoughts(thinkingFamilies[name], folder.path),
)
