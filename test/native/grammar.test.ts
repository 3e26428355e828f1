import { describe, expect, test } from 'vitest'
import { compileSchema } from '../../src/engine/grammar/compile-schema.ts'
import { freeNames, manyNames, objectBegin } from './many-names.ts'
import { testAddon } from './test-addon.ts'

/** Follows the tokens through the grammar of a schema. */
function follow(schema: unknown, tokens: readonly string[], sequence: readonly number[]) {
  const numbers = compileSchema(schema).toNumbers()
  return testAddon.followGrammar(numbers, tokens.map(bytesOf), Int32Array.from(sequence))
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text))
}

// These tests have a short limit, because the fault that they look for takes minutes.
describe('a name that must differ from the object’s other names is found at once', () => {
  test('where several alternatives read the same names', { timeout: 30_000 }, () => {
    const named = (minProperties: number) => ({
      type: 'object',
      propertyNames: { pattern: '^[a-z]x{18}$' },
      additionalProperties: { type: 'integer' },
      minProperties,
    })
    const schema = { anyOf: [2, 3, 4].map(named) }
    const rest = 'x'.repeat(18)
    const tokens = [`{"a${rest}":1,`, '"a', `"b${rest}":1}`]
    expect(follow(schema, tokens, [0, 2]).followed).toBe(2)
    expect(follow(schema, tokens, [0, 1]).followed).toBe(1)
  })

  test('where the name is long and the object has many others', { timeout: 30_000 }, () => {
    const schema = {
      type: 'object',
      propertyNames: { pattern: '^(x{950}x{950}[ab]?|[c-z]{3})$' },
      additionalProperties: { type: 'integer' },
    }
    const letters = Array.from('cdefghijklmnopqr')
    const names = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
    const long = 'x'.repeat(1900)
    const tokens = [
      `{"${long}":1`,
      names.map((name) => `,"${name}":1`).join(''),
      `,"${long}a":1}`,
      `,"${long}":1}`,
    ]
    expect(follow(schema, tokens, [0, 1, 2]).followed).toBe(3)
    expect(follow(schema, tokens, [0, 1, 3]).followed).toBe(2)
  })
})

test('an object has each name once, also where checking all tokens takes too long', () => {
  const tokens = [objectBegin, 'z', '":1}', ...freeNames].map(bytesOf)
  const logits = new Float32Array(tokens.length)
  logits.set([10, 9, 8])
  const greedy = { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 }
  const numbers = compileSchema(manyNames).toNumbers()
  const sampled = testAddon.sampleGrammar(logits, greedy, numbers, tokens, 4)
  const texts = Array.from(sampled, (token) => Buffer.from(tokens[token] ?? []).toString())
  expect(texts).toEqual([objectBegin, 'bbb', '":1}'])
})

describe('a long text', () => {
  // Each character of a string is read in 200 ways.
  const strings = {
    type: 'array',
    items: {
      anyOf: Array.from({ length: 200 }, (_, index) => ({
        type: 'string',
        minLength: 3,
        maxLength: 3 + index,
      })),
    },
  }

  test('keeps only the frames of open calls in memory', () => {
    const sequence = [0, ...Array.from({ length: 200 }, () => 1)]
    const { followed, framesMax } = follow(strings, ['["aaaa"', ',"aaaa"'], sequence)
    expect(followed).toBe(201)
    // Without this, each token adds about 2000 frames.
    expect(framesMax).toBeLessThan(20_000)
  })

  test('closes the objects around it, whose names it still knows', () => {
    const schema = { type: 'object', additionalProperties: { anyOf: [{ $ref: '#' }, strings] } }
    const tokens = [
      '{"a":{"b":["aaaa"',
      ',"aaaa"',
      ']',
      ',"c":[]}',
      ',"b":[]}',
      ',"b"',
      ',"a"',
      '}',
    ]
    const begin = [0, ...Array.from({ length: 50 }, () => 1), 2]
    const followed = (...end: number[]) =>
      follow(schema, tokens, [...begin, ...end]).followed - begin.length
    expect(followed(3, 4)).toBe(2)
    expect(followed(7, 7)).toBe(2)
    expect(followed(7, 7, 7)).toBe(2)
    // The inner object has `b`, and the outer one has `a`.
    expect(followed(5)).toBe(0)
    expect(followed(3, 6)).toBe(1)
  })
})

test('what closing a grammar costs is computed once for the latest eight grammars', () => {
  const tokens = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ''].map(bytesOf)
  const grammar = (value: number) => compileSchema({ const: value }).toNumbers()
  expect(testAddon.countClosings([grammar(1), grammar(1), grammar(12), grammar(1)], tokens)).toBe(2)
  const nine = Array.from({ length: 9 }, (_, value) => grammar(value))
  expect(testAddon.countClosings([...nine, ...nine.slice(1)], tokens)).toBe(9)
  expect(testAddon.countClosings([...nine, grammar(0)], tokens)).toBe(10)
})

describe('a schema whose shortest text has more bytes than an integer counts', () => {
  const nested = (levels: number): unknown =>
    levels === 0 ? { type: 'null' } : { type: 'array', items: nested(levels - 1), minItems: 1024 }
  const tokens = ['[[[[[[[', '"a"', '[', ']', ',', 'null', '"', 'a', ''].map(bytesOf)

  test('needs more tokens than any reply has', () => {
    const numbers = compileSchema(nested(3)).toNumbers()
    expect(testAddon.fewestTokens(numbers, tokens)).toBe(2 ** 29 - 1)
    expect(testAddon.closingTokens(numbers, tokens)).toBe(2 ** 29 - 1)
  })

  test('is not begun where another alternative fits', () => {
    const schema = { anyOf: [nested(8), { type: 'string' }] }
    // The open brackets are the likeliest token.
    const logits = Float32Array.from(tokens, (_, token) => -token)
    const sampling = { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 }
    const numbers = compileSchema(schema).toNumbers()
    const sampled = testAddon.sampleGrammar(logits, sampling, numbers, tokens, 10, true)
    expect([...sampled]).toEqual([1])
  })
})
