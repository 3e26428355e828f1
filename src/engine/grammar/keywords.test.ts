import { describe, expect, test } from 'vitest'
import { condition } from '../../../test/support/schemas/condition.ts'
import { validatorOf } from '../../../test/support/schemas/corpus.ts'
import { sampleSchema } from '../../../test/support/schemas/grammar-sampling.ts'
import { parseInOrder } from '../../json-order.ts'
import { compileSchema } from './compile-schema.ts'
import { SchemaRefused } from './grammar.ts'

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const arrays = (more: object) => ({ type: 'array', ...more })
const integer = { type: 'integer' }
const short = { type: 'string', pattern: '^[ab]{1,2}$' }

/** Schemas with patterns. Each pattern must match at least one text that is sampled from the schema's grammar. */
const enforced: [name: string, schema: unknown, seen: RegExp[]][] = [
  ['nullable', { type: 'boolean', nullable: true }, [/^null$/, /^true/]],
  ['an unknown format', { type: 'string', format: 'made-up', maxLength: 1 }, [/^"."$/]],
  ['a format beside a pattern', { type: 'string', format: 'date', pattern: '^20' }, [/^"20/]],
  ['URIs', { type: 'string', format: 'uri', maxLength: 60 }, [/:/]],
  ['references', { type: 'string', format: 'uri-reference', maxLength: 20 }, [/^"/]],
  ['host names', { type: 'string', format: 'hostname' }, [/\./]],
  ['IPv4 addresses', { type: 'string', format: 'ipv4' }, [/^"\d+\./]],
  ['IPv6 addresses', { type: 'string', format: 'ipv6' }, [/::/]],
  ['durations', { type: 'string', format: 'duration' }, [/T/, /W"$/]],
  ['base64', { type: 'string', format: 'byte', maxLength: 16 }, [/=/]],
  ['regular expressions', { type: 'string', format: 'regex', maxLength: 12 }, [/\\/]],
  ['32-bit integers', { type: 'integer', format: 'int32' }, [/^-?\d{3,10}$/]],
  ['64-bit integers that are numbers', { type: 'number', format: 'int64' }, [/^-?\d+$/]],
  ['multiples', { ...integer, multipleOf: 15, minimum: -40 }, [/0$/, /5$/, /^-30$/]],
  ['multiples of decimals', { type: 'number', multipleOf: 0.25 }, [/\.75$/, /\.5$/]],
  [
    'open bounds of draft 4',
    { ...integer, minimum: 3, exclusiveMinimum: true, maximum: 4 },
    [/^4$/],
  ],
  [
    'a tuple of draft 7',
    arrays({ items: [{ const: 1 }], additionalItems: { const: 2 }, minItems: 2 }),
    [/^\[1, ?2/],
  ],
  ['unique strings', arrays({ items: short, uniqueItems: true }), [/"ab".*"b"/]],
  [
    'unique strings of any usual length',
    arrays({ items: { type: 'string', maxLength: 65_535 }, uniqueItems: true }),
    [],
  ],
  [
    'unique values',
    arrays({ items: { enum: [1, 'a', null] }, uniqueItems: true, minItems: 2 }),
    [/a/],
  ],
  [
    'unique integers',
    arrays({ items: { ...integer, minimum: -1, maximum: 2 }, uniqueItems: true, minItems: 2 }),
    [/,/],
  ],
  [
    'unique integers, each exactly once',
    arrays({ items: { ...integer, minimum: 1, maximum: 3 }, uniqueItems: true, minItems: 3 }),
    [/3, ?1, ?2/],
  ],
  [
    'unique integers between open bounds',
    arrays({
      items: { ...integer, exclusiveMinimum: 0, exclusiveMaximum: 3 },
      uniqueItems: true,
      minItems: 2,
    }),
    [/^\[1, ?2\]$/, /^\[2, ?1\]$/],
  ],
  [
    'unique integers between fractions',
    arrays({
      items: { ...integer, minimum: -0.5, maximum: 1.5 },
      uniqueItems: true,
      minItems: 2,
    }),
    [/^\[0, ?1\]$/, /^\[1, ?0\]$/],
  ],
  [
    'contains',
    arrays({ items: { enum: [0, 1, 2] }, contains: { const: 1 }, minItems: 3 }),
    [/0.*1/, /1.*1/],
  ],
  [
    'contains with numbers',
    arrays({ items: { enum: [0, 1] }, contains: { const: 1 }, minContains: 2, maxContains: 3 }),
    [/1.*0.*1/],
  ],
  ['patterns of names', { type: 'object', patternProperties: { '^[ab]+$': integer } }, [/"ab":/]],
  [
    'patterns that overlap',
    {
      type: 'object',
      patternProperties: {
        '^[ab]$': { ...integer, minimum: 3 },
        '^[bc]$': { ...integer, maximum: 5 },
      },
      additionalProperties: false,
    },
    [/"b": ?[345][,}]/, /"[ac]":/],
  ],
  [
    'few names',
    { type: 'object', propertyNames: short, additionalProperties: { const: 0 }, minProperties: 3 },
    [/"ab":.*"a":/],
  ],
  [
    'names of an enum',
    { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: integer },
    [/^\{"a": ?-?\d+, ?"b"/, /^\{\}$/],
  ],
  [
    'numbers of properties',
    object({ a: {}, b: {}, c: {} }, { minProperties: 1, maxProperties: 2 }),
    [/"b"/],
  ],
  [
    'no more than its minimum',
    { type: 'object', additionalProperties: integer, minProperties: 2, maxProperties: 2 },
    [/,/],
  ],
  [
    'a property that needs another',
    object({ a: { const: 1 }, b: { const: 2 } }, { dependentRequired: { a: ['b'] } }),
    [/^\{"a": ?1, ?"b": ?2\}$/, /^\{"b": ?2\}$/, /^\{\}$/],
  ],
  ['not a constant', { enum: [1, 2, 3], not: { const: 2 } }, [/1/, /3/]],
  ['not some texts', { ...short, not: { enum: ['a', 'b'] } }, [/^"a[ab]"$/]],
  ['not a range', { ...integer, not: { minimum: 0, maximum: 1e14 } }, [/^-/, /^\d{15}$/]],
  ['not a pattern', { type: 'string', maxLength: 3, not: { pattern: '^[ -~]*$' } }, [/^"/]],
  [
    'not a large maximum of characters or items',
    {
      anyOf: [
        { not: { type: ['string', 'array'], maxLength: 9000, maxItems: 2000 } },
        { const: 'a' },
      ],
    },
    [/^"a"$/, /^(null|true|false)$/],
  ],
  [
    'not required',
    object({ a: {}, b: {} }, { not: { required: ['a', 'b'] }, maxProperties: 1 }),
    [/"b"/, /"a"/],
  ],
  [
    'not some items',
    arrays({ items: { enum: [0, 1] }, not: { items: { const: 1 } }, maxItems: 3 }),
    [/0/],
  ],
  [
    'if, then and else',
    object(
      { kind: { enum: ['a', 'b'] }, size: integer },
      {
        required: ['kind', 'size'],
        ...condition(
          { properties: { kind: { const: 'a' } } },
          { properties: { size: { minimum: 10 } } },
          { properties: { size: { maximum: 9 } } },
        ),
      },
    ),
    [/"a".*\d\d\}$/, /"b".*-\d/],
  ],
  [
    'oneOf of branches that leave each other out',
    object(
      { a: { const: 1 }, b: { const: 2 } },
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    ),
    [/^\{"a": ?1\}$/, /^\{"b": ?2\}$/],
  ],
  [
    'nothing that is not evaluated',
    {
      type: 'object',
      allOf: [{ properties: { a: integer } }, { required: ['c'] }],
      properties: { c: integer },
      unevaluatedProperties: false,
    },
    [/"a".*"c"|"c".*"a"/],
  ],
  [
    'nothing that only a negation evaluates',
    object(
      { a: { const: 1 } },
      { not: { not: { properties: { b: { const: 2 } } } }, unevaluatedProperties: false },
    ),
    [/^\{"a": ?1\}$/, /^\{\}$/],
  ],
  [
    'anchors, and schemas with URIs of their own',
    {
      $id: 'https://example.com/root.json',
      anyOf: [{ $ref: '#one' }, { $ref: 'two.json' }, { $ref: 'two.json#/$defs/deep' }],
      $defs: {
        a: { $anchor: 'one', const: 1 },
        b: { $id: 'two.json', const: 2, $defs: { deep: { const: 3 } } },
      },
    },
    [/1/, /2/, /3/],
  ],
  ['a condition in a pattern', { type: 'string', pattern: '^(?!a)(?=..$)[a-c]+$' }, [/^"b[a-c]"$/]],
  [
    'a condition within a pattern',
    { type: 'string', pattern: '^x(?=\\d|y\\d)y?\\d*$' },
    [/^"xy\d/, /^"x\d/],
  ],
  [
    'a start after lookaheads',
    { type: 'string', pattern: '(?!^0*$)(?=.?[0-5])^\\d{1,2}$' },
    [/^"[1-5]"$/, /^"0[1-9]"$/, /^"[6-9][0-5]"$/],
  ],
  ['properties of Unicode', { type: 'string', pattern: '^\\p{Lu}{2}$' }, [/^"/]],
  [
    'an anchor in each alternative',
    { type: 'string', pattern: '^(?:a$|b)|(^c$)', maxLength: 3 },
    [/^"a"$/, /^"b.+/, /^"c"$/],
  ],
]

describe('every text of a schema is valid: formats, names, conditions, negations', () => {
  test.each(enforced)('%s', (_name, schema, seen) => {
    const texts = sampleSchema(schema, 200)
    expect(texts.length).toBeGreaterThan(100)
    const isValid = validatorOf(schema)
    expect(texts.filter((text) => isValid?.(text) !== true)).toEqual([])
    for (const pattern of seen) expect(texts.some((text) => pattern.test(text))).toBe(true)
  })
})

test('property names that look like integers keep their order', () => {
  const text = '{"type":"object","properties":{"b":{},"10":{},"2":{}},"required":["b","10","2"]}'
  for (const reply of sampleSchema(parseInOrder(text), 50)) {
    const names = [...reply.matchAll(/"(b|10|2)":/g)].map(([, name]) => name)
    if (!/[[{]/.test(reply.slice(1))) expect(names).toEqual(['b', '10', '2'])
  }
})

test('a oneOf over properties that refer to the schema itself compiles in finite time', () => {
  const node = {
    type: 'object',
    properties: { next: { $ref: '#/$defs/node' } },
    required: ['next'],
    oneOf: [{ required: ['next'] }, { properties: { next: { type: 'null' } } }],
  }
  expect(() => compileSchema({ $ref: '#/$defs/node', $defs: { node } })).toThrow(SchemaRefused)
})

const refusedSchemas: [name: string, schema: unknown, path: string][] = [
  [
    'unique objects',
    { type: 'array', items: { type: 'object' }, uniqueItems: true },
    'uniqueItems',
  ],
  [
    'unique numbers',
    object({ a: { type: 'array', items: { type: 'number' }, uniqueItems: true } }),
    'properties.a.uniqueItems',
  ],
  [
    'unique items whose number of values is unclear',
    arrays({
      items: { anyOf: [{ ...integer, minimum: 1, maximum: 2 }, { enum: ['a', 'b'] }] },
      uniqueItems: true,
      minItems: 3,
    }),
    'uniqueItems',
  ],
  ['not of what cannot be denied', object({ a: { not: { format: 'email' } } }), 'properties.a.not'],
  [
    'if of what cannot be denied',
    object({ a: condition({ uniqueItems: true }, {}, {}) }),
    'properties.a.if',
  ],
  ['more properties than are listed', object({ a: {} }, { minProperties: 2 }), 'minProperties'],
  ['a divisor of many digits', object({ a: { multipleOf: 1e-9 } }), 'properties.a.multipleOf'],
  ['a large prime divisor', { type: 'integer', multipleOf: 99_991 }, 'multipleOf'],
  ['a divisor of zero', { multipleOf: 0 }, 'multipleOf'],
  [
    '$dynamicRef among resources',
    object({ a: { $dynamicRef: '#', $id: 'a' } }),
    'properties.a.$dynamicRef',
  ],
  ['draft 3', { $schema: 'http://json-schema.org/draft-03/schema#', extends: {} }, 'extends'],
  [
    'two contains',
    { type: 'array', allOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }] },
    'allOf[1].contains',
  ],
  ['a start that may be passed over', { type: 'string', pattern: '(?!^a)b' }, 'pattern'],
  ['a start after the end', { type: 'string', pattern: '.$^' }, 'pattern'],
  ['a class as the end of a range', { type: 'string', pattern: '^[.-\\w]$' }, 'pattern'],
  [
    'unique texts whose lengths need many states',
    arrays({ items: { type: 'string', format: 'ipv6', minLength: 50 }, uniqueItems: true }),
    '',
  ],
  [
    'an item that only a negation evaluates',
    arrays({ minItems: 1, not: { not: { prefixItems: [{ const: 1 }] } }, unevaluatedItems: false }),
    '',
  ],
  [
    'longer than supported',
    object({ a: { type: 'string', not: { maxLength: 9000 } } }),
    'properties.a.not',
  ],
  [
    'more items than supported',
    object({ a: arrays({ not: { maxItems: 2000 } }) }),
    'properties.a.not',
  ],
  ['a long name', { type: 'object', propertyNames: { enum: ['a'.repeat(9000)] } }, ''],
  ['not a long text', { type: 'string', not: { const: 'a'.repeat(15_000) } }, ''],
  ['looking ahead, repeatedly', { type: 'string', pattern: '^((?!a).)*$' }, 'pattern'],
]

describe('what constrains and cannot be enforced is refused, with the path (T25)', () => {
  test.each(refusedSchemas)('%s', (_name, schema, path) => {
    let error: unknown
    try {
      compileSchema(schema)
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(SchemaRefused)
    expect((error as SchemaRefused).path).toBe(path)
    const keyword = path.split('.').at(-1) ?? ''
    if (path.includes('.')) expect((error as SchemaRefused).message).toContain(keyword)
  })
})
