import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson, parseJsonObject } from './json-text.ts'

const faultOf = (text: string) => {
  const parsed = parseJson(text)
  return 'fault' in parsed ? parsed.fault : 'none'
}

test('says where a text is not JSON, and what should be there', () => {
  expect(faultOf('{"a": 1,}')).toBe(
    'Not JSON at line 1, column 9: a name in double quotes should be here, not }',
  )
  expect(faultOf("{\n  'a': 1}")).toBe(
    "Not JSON at line 2, column 3: a name in double quotes or } should be here, not 'a':",
  )
  expect(faultOf('[1 2]')).toBe('Not JSON at line 1, column 4: a comma or ] should be here, not 2]')
  expect(faultOf('[1,]')).toBe('Not JSON at line 1, column 4: a value should be here, not ]')
  expect(faultOf('{"a" 1}')).toBe('Not JSON at line 1, column 6: a colon should be here, not 1}')
  expect(faultOf('{} {}')).toBe('Not JSON at line 1, column 4: the end should be here, not {}')
  expect(faultOf('[True]')).toBe(
    'Not JSON at line 1, column 2: a value or ] should be here, not True]',
  )
  expect(faultOf('{"a":\n')).toBe(
    'The JSON is not complete: a value is missing at the end (line 2, column 1).',
  )
  expect(parseJsonObject('[]')).toEqual({ fault: 'It must be a JSON object: { … }.' })
})

test('the place is never before what was broken, but for the beginning of its word', () => {
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
