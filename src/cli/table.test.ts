import { expect, test } from 'vitest'
import { alignColumns } from './table.ts'

test('the cells of a column begin at the same place, and lines end without spaces', () => {
  const rows = [
    ['NAME', 'KEY', 'LIMIT'],
    ['a', 'sk-1', ''],
    ['longer', 'sk-22', '5'],
  ]
  expect(alignColumns(rows)).toBe('NAME    KEY    LIMIT\na       sk-1\nlonger  sk-22  5')
})
