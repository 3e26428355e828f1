import { afterAll, test } from 'vitest'
import { temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { checkThoughts, thinkingFamilies } from '../support/models/thinking-families.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

test.each(Object.entries(thinkingFamilies))(
  '%s thinks apart from its answer, and reaches it within max_tokens',
  (_, family) => checkThoughts(family, folder.path),
  120_000,
)
