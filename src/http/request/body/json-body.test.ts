import { fc } from '../../../../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { decodeBody, parseBody } from './json-body.ts'

const parse = (bytes: Buffer) => parseBody(decodeBody(bytes))
const refused = (body: string | Buffer) =>
  expect(() => parse(Buffer.from(body))).toThrow(expect.objectContaining({ code: 'invalid_json' }))

test('every JSON object arrives as JSON.parse would give it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 8 })), (value) => {
      fc.pre(!JSON.stringify(value).includes('__proto__'))
      expect(parse(Buffer.from(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test.each(['', '{', '[]', 'null', '"text"', '1', '{"a":1,}', "{'a':1}", '{"a":NaN}', '{} {}'])(
  'refuses %j',
  (body) => refused(body),
)

test('refuses what is not UTF-8 (T15)', () => {
  refused(Buffer.from('{"a":"\u00ff"}', 'latin1'))
  expect(parse(Buffer.from('{"a":"\u00ff"}'))).toEqual({ a: '\u00ff' })
})

test('refuses deep nesting of any size, and brackets inside strings do not count (T15)', () => {
  refused(`{"a":${'['.repeat(500_000)}`)
  refused(`${'{"a":'.repeat(129)}1${'}'.repeat(129)}`)
  expect(parse(Buffer.from(`{"a":"${'['.repeat(1000)}\\"["}`))).toHaveProperty('a')
})

test('refuses very many members, and colons inside strings do not count (T15, T49)', () => {
  refused(`{${Array.from({ length: 20_001 }, (_, i) => `"${i}":0`).join()}}`)
  expect(parse(Buffer.from(`{"a":"${':'.repeat(20_001)}"}`))).toHaveProperty('a')
})

test.each(['""', '[]', '{}'])('refuses very many %s (T15, T49)', (part) => {
  const bodyOf = (parts: number) => `{"a":[${part}${`,${part}`.repeat(parts - 1)}]}`
  // The object, its key and its array count as three parts.
  refused(bodyOf(49_998))
  expect(parse(Buffer.from(bodyOf(49_997)))).toHaveProperty('a.49996')
})

test('refuses very many numbers, and commas inside strings do not count (T15, T49)', () => {
  const bodyOf = (numbers: number) => `{"a":[${Array.from({ length: numbers }, () => '1').join()}]}`
  refused(bodyOf(50_001))
  expect(parse(Buffer.from(bodyOf(50_000)))).toHaveProperty('a.49999')
  expect(parse(Buffer.from(`{"a":"${','.repeat(50_001)}"}`))).toHaveProperty('a')
})

test('refuses __proto__ at any depth, however it is spelled (T16)', () => {
  refused('{"__proto__":{"polluted":1}}')
  refused('{"a":[{"__proto__":{"polluted":1}}]}')
  for (const at of '__proto__'.split('').keys())
    for (const hex of ['toLowerCase', 'toUpperCase'] as const) {
      const letters = '__proto__'.split('')
      const code = letters[at]?.charCodeAt(0).toString(16)[hex]()
      letters[at] = `\\u00${code}`
      refused(`{"${letters.join('')}":{"polluted":1}}`)
    }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('an error never repeats the body (T32)', () => {
  try {
    parse(Buffer.from('{"secret-canary": oops}'))
    expect.unreachable()
  } catch (error) {
    expect(String(error)).not.toContain('canary')
    expect((error as Error).cause).toBeUndefined()
  }
})
