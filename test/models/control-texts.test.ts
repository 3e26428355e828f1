import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { leaksOfAllTemplates } from '../support/models/marker-leaks.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

// control-texts.long.test.ts has the other vocabularies, and templates whose tokens are control tokens.
test('no text of a caller becomes a user-defined token of any of the 70 chat templates (T20)', async () => {
  const { checked, leaking } = await leaksOfAllTemplates(folder.path, 'gpt-2', 'userDefined')
  expect(leaking).toEqual([])
  expect(checked).toBeGreaterThan(400)
})
