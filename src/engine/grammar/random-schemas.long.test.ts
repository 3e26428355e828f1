import { expect, test } from 'vitest'
import { checkRandomSchemas } from '../../../test/support/schemas/schema-check.ts'

test('1,000 random schemas: every text is valid', { timeout: 600_000 }, () => {
  const { compiled, texts } = checkRandomSchemas(1700)
  expect(compiled).toBeGreaterThan(1000)
  expect(texts).toBeGreaterThan(4000)
})
