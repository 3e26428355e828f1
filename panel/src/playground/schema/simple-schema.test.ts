import { expect, test } from 'vitest'
import {
  isWholeNumber,
  readSimpleSchema,
  schemaTemplates,
  writeSimpleSchema,
} from './simple-schema.ts'

test.each(schemaTemplates)('the template $name is read as it was written', ({ fields }) => {
  expect(readSimpleSchema(writeSimpleSchema(fields))).toEqual(fields)
})

test.each([
  ['not JSON', '{'],
  ['no object', '{"type": "string"}'],
  ['an optional property', '{"type":"object","properties":{"a":{"type":"string"}},"required":[]}'],
  ['a nested object', '{"type":"object","properties":{"a":{"type":"object"}},"required":["a"]}'],
  ['another keyword', '{"type":"object","properties":{},"required":[],"minProperties":1}'],
  [
    'a property with a bound',
    '{"type":"object","properties":{"a":{"type":"string","maxLength":3}},"required":["a"]}',
  ],
  ['an enum of numbers', '{"type":"object","properties":{"a":{"enum":[1]}},"required":["a"]}'],
])('a schema with %s is left to JSON', (_, schema) => {
  expect(readSimpleSchema(schema)).toBeUndefined()
})

test.each(['2n', '02', '-2', '2.5', '', '__proto__', '0', '2', '4294967294'])(
  'a field named %j keeps its place unless its name is a whole number',
  (name) => {
    const fields = ['first', name, 'last'].map((one) => ({
      name: one,
      type: 'string' as const,
      options: [],
    }))
    const read = readSimpleSchema(writeSimpleSchema(fields))
    expect(read?.[1]?.name === name).toBe(!isWholeNumber(name))
  },
)
