import { expect, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'
import { checkTidy } from './check-tidy.ts'
import { readSources } from './read-sources.ts'

test('the repository keeps the rules of tools/tidy', () => {
  expect(checkTidy(readSources(packageRoot))).toEqual([])
})
