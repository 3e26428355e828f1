import { expect, test } from 'vitest'
import { detectDialect } from '../../src/engine/dialect/detect-dialect.ts'
import { families } from './families.ts'
import { readFacts } from './models-page.ts'
import { dialectFacts, familyTemplate } from './template-facts.ts'

test('docs/models.json has a row for each family', () => {
  const rows = readFacts().map(({ family, template, arch }) => [family, template, arch])
  expect(rows).toEqual(families)
})

test.each(readFacts())(
  'docs/models.json says how the code reads thoughts and calls of $family',
  ({ template, reasoning, tools }) => {
    expect({ reasoning, tools }).toEqual(dialectFacts(detectDialect(familyTemplate(template))))
  },
)
