import { expect, test } from 'vitest'
import { checkJson } from './check-json.ts'

const schema = JSON.stringify({
  type: 'object',
  properties: { age: { $ref: '#/$defs/age' } },
  required: ['age'],
  $defs: { age: { type: 'integer', minimum: 0 } },
})

test('a reply that fulfils the schema is laid out', () => {
  expect(checkJson('{"age":3}', schema)).toEqual({
    state: 'whole',
    pretty: '{\n  "age": 3\n}',
    faults: [],
  })
})

test('what does not fulfil it is named with its place', () => {
  expect(checkJson('{"age":-1}', schema)).toMatchObject({
    faults: [expect.stringMatching(/^\/age .*0\.$/)],
  })
})

test('a reply that was cut is no JSON', () => {
  expect(checkJson('{"age":', schema)).toEqual({
    state: 'broken',
    fault: expect.stringMatching(/not complete/),
  })
})

test('without a schema any JSON will do', () => {
  expect(checkJson('[1]', '')).toMatchObject({ state: 'whole', faults: [] })
})
