import { fc } from '../../../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { indentJson, parseJson, parseJsonObject } from './json-text.ts'

const faultOf = (text: string) => {
  const parsed = parseJson(text)
  return 'fault' in parsed ? parsed.fault : 'none'
}

test('reports where a text is not JSON, and what was expected', () => {
  expect(faultOf('{"a": 1,}')).toBe(
    'Invalid JSON at line 1, column 9: expected a property name in double quotes, found }',
  )
  expect(faultOf("{\n  'a': 1}")).toBe(
    "Invalid JSON at line 2, column 3: expected a property name in double quotes or }, found 'a':",
  )
  expect(faultOf('[1 2]')).toBe('Invalid JSON at line 1, column 4: expected a comma or ], found 2]')
  expect(faultOf('[1,]')).toBe('Invalid JSON at line 1, column 4: expected a value, found ]')
  expect(faultOf('{"a" 1}')).toBe('Invalid JSON at line 1, column 6: expected a colon, found 1}')
  expect(faultOf('{} {}')).toBe('Invalid JSON at line 1, column 4: expected the end, found {}')
  expect(faultOf('[True]')).toBe(
    'Invalid JSON at line 1, column 2: expected a value or ], found True]',
  )
  expect(faultOf('{"a":\n')).toBe(
    'Incomplete JSON: expected a value at line 2, column 1, but the text ends there.',
  )
  expect(parseJsonObject('[]')).toEqual({ fault: 'Enter a JSON object: { … }.' })
})

test('the reported place is never before the error, except at the start of the same word', () => {
  const put = fc.constantFrom('', ',', '}', ']', '"', 'x', ':', '0')
  fc.assert(
    fc.property(fc.json(), fc.nat(), put, (json, at, letter) => {
      const i = at % (json.length + 1)
      const text = json.slice(0, i) + letter + json.slice(i + (letter === '' ? 1 : 0))
      const parsed = parseJson(text)
      if ('value' in parsed) return
      const offset = parsed.offset ?? -1
      expect(offset).toBeGreaterThanOrEqual(0)
      expect(text.slice(offset, i)).toMatch(/^(\s*|".*|[-\w.+]+)$/s)
    }),
    { seed: 7, numRuns: 2000 },
  )
})

test.each([['{"a":[1,{"b":null}],"c":{},"d":[]}'], ['[ "x\\"{,}" , true ]'], ['"text"'], ['{}']])(
  'indents as JSON.stringify does: %s',
  (text) => {
    expect(indentJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2))
  },
)

test('indenting changes no number and no order of names', () => {
  const text = '{"b":1234567890123456789,"10":1.0,"2":1e400}'
  expect(indentJson(text)).toBe('{\n  "b": 1234567890123456789,\n  "10": 1.0,\n  "2": 1e400\n}')
})
