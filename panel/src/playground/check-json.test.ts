import { expect, test } from 'vitest'
import { checkJson } from './check-json.ts'

const schema = JSON.stringify({
  type: 'object',
  properties: { age: { $ref: '#/$defs/age' } },
  required: ['age'],
  $defs: { age: { type: 'integer', minimum: 0 } },
})

test('a reply that matches the schema is formatted', () => {
  expect(checkJson('{"age":3}', schema)).toEqual({
    state: 'whole',
    pretty: '{\n  "age": 3\n}',
    faults: [],
  })
})

test('a mismatch is reported with its path', () => {
  expect(checkJson('{"age":-1}', schema)).toMatchObject({
    faults: [expect.stringMatching(/^\/age .*0\.$/)],
  })
})

test('a truncated reply is not JSON', () => {
  expect(checkJson('{"age":', schema)).toEqual({
    state: 'broken',
    fault: expect.stringMatching(/^Incomplete JSON/),
  })
})

test('without a schema, any JSON is valid', () => {
  expect(checkJson('[1]', '')).toMatchObject({ state: 'whole', faults: [] })
})

test.each(['^\\d{3}\\-\\d{4}$', '['])(
  'a reply is still formatted if the browser cannot read a pattern of the schema: %s',
  (pattern) => {
    expect(checkJson('"555-0100"', JSON.stringify({ type: 'string', pattern }))).toEqual({
      state: 'whole',
      pretty: '"555-0100"',
      faults: undefined,
    })
  },
)
