import { fc } from '../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { entriesInOrder, objectInOrder, parseInOrder, stringifyInOrder } from './json-order.ts'

test.each([
  '{"b":1,"10":2,"a":3,"2":4}',
  '[{"x":{"2":"\\"1\\":[","1":{"b":0,"0":[]}}},{"7":1}]',
  '{"1":null,"0":true,"é\\n":-1.5}',
  '[1e400,-1e400]',
])('names that look like integers keep their places: %s', (text) => {
  expect(stringifyInOrder(parseInOrder(text))).toBe(text)
})

test('whitespace makes no difference', () => {
  const text = ' { "b" : 1 ,\n "10" : [ 2 , { "3" : { } , "1" : "x" } ] , "a" :\t3 } '
  expect(stringifyInOrder(parseInOrder(text))).toBe('{"b":1,"10":[2,{"3":{},"1":"x"}],"a":3}')
})

test('any JSON is parsed as by JSON.parse, and written as it was', () => {
  const name = fc.oneof(fc.nat({ max: 20 }).map(String), fc.string())
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 0 }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 6 }),
    ),
  })).value
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value)
      const parsed = parseInOrder(text)
      expect(parsed).toEqual(JSON.parse(text))
      expect(stringifyInOrder(parsed)).toBe(text)
    }),
  )
})

test('of members with the same name the last one counts', () => {
  const text = '{"a":{"2":0,"1":0},"1":1,"a":{"x":0,"3":0},"1":2}'
  expect(parseInOrder(text)).toEqual({ a: { x: 0, 3: 0 }, 1: 2 })
  expect(stringifyInOrder(parseInOrder(text))).toBe('{"a":{"x":0,"3":0},"1":2}')
})

test.each([
  '{"minimum":1.0,"b":[-0.0,1e3,{"c":2.50}]}',
  '[12345678901234567890,9007199254740993,1E-7]',
  '{"default":0.10,"text":"1.0"}',
])('numbers keep the form in which they were written: %s', (text) => {
  expect(stringifyInOrder(parseInOrder(text))).toBe(text)
})

test('of numbers with the same name the last one counts', () => {
  expect(stringifyInOrder(parseInOrder('{"a":1.0,"a":2,"b":{"x":1.0},"b":{"x":1}}'))).toBe(
    '{"a":2,"b":{"x":1}}',
  )
})

test('an object from members has them in their order', () => {
  const members = entriesInOrder(
    objectInOrder([
      ['b', 1],
      ['10', 2],
      ['2', 3],
    ]),
  )
  expect(members.map(([name]) => name)).toEqual(['b', '10', '2'])
})

test('a text that is no JSON is refused', () => {
  expect(() => parseInOrder('{"1":')).toThrow(SyntaxError)
})
