import { describe, expect, test } from 'vitest'
import { validatorOf } from '../../../test/support/schemas/corpus.ts'
import { sampleText, vocabularyOf } from '../../../test/support/schemas/grammar-sampling.ts'
import { compileSchema } from './compile-schema.ts'

/** Commas are likely, so that a reply uses up its names or items. */
const commas = vocabularyOf([','])
const unique = (more: object) => ({
  type: 'array',
  uniqueItems: true,
  items: { type: 'string', ...more },
})

/** Schemas whose names or items run out, each with a text that has them all, and perhaps more that are possible. */
const runOut: [name: string, schema: object, seen: RegExp][] = [
  [
    'names of one enum or another',
    {
      type: 'object',
      propertyNames: { anyOf: [{ $ref: '#/$defs/Color' }, { $ref: '#/$defs/Shape' }] },
      additionalProperties: { enum: [0] },
      $defs: { Color: { enum: ['red'] }, Shape: { enum: ['box'] } },
    },
    /"red".*"box"|"box".*"red"/,
  ],
  [
    'names of patterns that have only one text in common',
    {
      type: 'object',
      propertyNames: { allOf: [{ pattern: '^(a|b*x)$' }, { pattern: '^[^x]*$' }] },
      additionalProperties: { enum: [0] },
    },
    /"a"/,
  ],
  [
    'names of patterns that overlap, some of them without a possible value',
    {
      type: 'object',
      patternProperties: { '^[ab]$': { type: 'null' }, '^[bc]$': { type: 'boolean' } },
      additionalProperties: false,
    },
    /"a".*"c"|"c".*"a"/,
  ],
  [
    'names of a pattern beside others without a possible value',
    {
      type: 'object',
      patternProperties: { '^[ab]$': { type: 'null' } },
      additionalProperties: { type: 'integer', minimum: 0.2, maximum: 0.8 },
    },
    /"a".*"b"|"b".*"a"/,
  ],
  [
    'names whose objects lack what they need',
    {
      type: 'object',
      patternProperties: { '^[ab]$': { type: 'null' } },
      additionalProperties: { type: 'object', properties: { c: false }, required: ['c'] },
    },
    /"a".*"b"|"b".*"a"/,
  ],
  [
    'names whose values only the grammar knows to be impossible',
    {
      type: 'object',
      patternProperties: {
        '^[ab]$': { type: 'null' },
        '^c$': { type: 'array', minItems: 1, items: false },
      },
      additionalProperties: { type: 'boolean', not: { enum: [true, false] } },
    },
    /"a".*"b"|"b".*"a"/,
  ],
  [
    'names of maps in maps, with values of two kinds for one of them',
    {
      type: 'object',
      patternProperties: { '^[ab]$': { $ref: '#' }, '^[bc]$': { type: 'null' } },
      additionalProperties: false,
    },
    /"a".*"c"|"c".*"a"/,
  ],
  [
    'unique strings of a pattern, some of them too long',
    unique({ pattern: '^(red|green|blue)$', maxLength: 4 }),
    /"red".*"blue"|"blue".*"red"/,
  ],
  ['unique strings, some of them too short', unique({ pattern: '^a{0,3}$', minLength: 3 }), /aaa/],
  [
    'unique strings of two patterns',
    unique({ pattern: '^[ab]$', allOf: [{ pattern: '^[bc]$' }] }),
    /"b"/,
  ],
  ['unique strings of bounded lengths', unique({ pattern: '^a*$', maxLength: 2 }), /"aa"/],
  [
    'unique strings whose maximum length the grammar lowers',
    unique({ pattern: '^(a{90})*$', maxLength: 8000 }),
    /""/,
  ],
  ['unique strings of one length', unique({ maxLength: 0 }), /""/],
]

describe('no reply runs out of names or items', () => {
  test.each(runOut)('%s', (_name, schema, seen) => {
    const grammar = compileSchema(schema)
    const isValid = validatorOf(schema)
    const texts = Array.from({ length: 100 }, (_, seed) => sampleText(grammar, seed, 600, commas))
    const complete = texts.filter((text) => text !== undefined)
    expect(complete.length).toBeGreaterThan(50)
    expect(complete.filter((text) => isValid?.(text) !== true)).toEqual([])
    expect(complete.some((text) => seen.test(text))).toBe(true)
  })
})
