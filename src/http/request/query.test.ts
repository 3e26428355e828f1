import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { readQuery } from './query.ts'

const schema = Type.Object({ limit: Type.Optional(Type.Integer()), after: Type.String() })

test('the text of an integer becomes a number where the schema has an integer', () => {
  expect(readQuery(schema, { limit: '20', after: '20' })).toEqual({ limit: 20, after: '20' })
  expect(readQuery(schema, { limit: '-1' })).toEqual({ limit: -1 })
})

test('every other value stays as it was sent, for the schema to refuse', () => {
  const sent = ['', ' 5', '1e2', '0x10', '1.5', '12345678901234567', ['1', '2']]
  for (const limit of sent) expect(readQuery(schema, { limit })).toEqual({ limit })
  expect(readQuery(schema, { constructor: '1' })).toEqual({ constructor: '1' })
})
