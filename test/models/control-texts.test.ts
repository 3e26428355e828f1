import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { leaksOfAllTemplates } from '../support/models/marker-leaks.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

test.for(['userDefined', 'control'] as const)(
  'no text of a caller becomes a %s token of any of the 70 chat templates (T20)',
  async (type) => {
    const { checked, leaking } = await leaksOfAllTemplates(folder.path, 'gpt-2', type)
    expect(leaking).toEqual([])
    expect(checked).toBeGreaterThan(400)
  },
)
