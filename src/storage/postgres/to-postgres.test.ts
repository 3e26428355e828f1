import { expect, test } from 'vitest'
import { toPostgres, toPostgresValues } from './to-postgres.ts'

test.each([
  ['select ? as a, ? as b', 'select $1 as a, $2 as b'],
  [`select '?' as "a?" where b = ?`, `select '?' as "a?" where b = $1`],
  [
    'x in (select value from json_each(?)) and y = ?',
    'x in (select value from json_array_elements_text($1::json)) and y = $2',
  ],
  ['select value ->> 0 from json_each(?)', 'select value ->> 0 from json_array_elements($1::json)'],
  ['select a from b /* for update */', 'select a from b for update'],
  ['from a cross join b on a.x = b.x', 'from a join b on a.x = b.x'],
])('%s is rewritten for PostgreSQL', (sqlite, postgres) => {
  expect(toPostgres({ sql: sqlite, parameters: [1] })).toEqual({ sql: postgres, parameters: [1] })
})

test('U+0000, which PostgreSQL refuses, is replaced in texts', () => {
  expect(toPostgresValues(['a\0b\0', 'c', 1, null])).toEqual(['a\ufffdb\ufffd', 'c', 1, null])
})
