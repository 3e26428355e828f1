import { describe, expect, test } from 'vitest'
import { sampleSchema } from '../../../test/support/schemas/grammar-sampling.ts'
import { validatorOf } from '../../../test/support/schemas/corpus.ts'
import { checkRandomSchemas } from '../../../test/support/schemas/schema-check.ts'
import { compileJsonObject, compileSchema } from './compile-schema.ts'
import { SchemaRefused } from './grammar.ts'

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const list = {
  $ref: '#/$defs/node',
  $defs: {
    node: object(
      { value: { type: 'integer' }, next: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/node' }] } },
      { required: ['value', 'next'], additionalProperties: false },
    ),
  },
}

/** Schemas with patterns. Each pattern must match at least one text that is sampled from the schema's grammar. */
const enforced: [name: string, schema: unknown, seen: RegExp[]][] = [
  ['any value', true, [/^"/, /^[\d-]/, /^[[{]/]],
  [
    'a list of types',
    { type: ['null', 'boolean', 'integer'] },
    [/^null$/, /^(true|false)$/, /^[-\d]/],
  ],
  ['integers', { type: 'integer' }, [/^-/, /^\d+$/]],
  ['numbers', { type: 'number' }, [/\./, /[eE]/, /^-/]],
  ['a range of integers', { type: 'integer', minimum: -12, maximum: 105 }, [/^-\d$/, /^\d$/]],
  [
    'an open range of integers',
    { type: 'integer', exclusiveMinimum: 7, exclusiveMaximum: 10 },
    [/^8$/, /^9$/],
  ],
  ['a minimum of integers', { type: 'integer', minimum: 998 }, [/^\d{4,}$/]],
  ['a range of numbers', { type: 'number', minimum: -0.25, maximum: 1.5 }, [/^-0\.[01]/, /^1/]],
  ['a wide range of numbers', { type: 'number', minimum: 0, maximum: 1e9 }, [/\./, /^\d+$/]],
  ['a wide open range of numbers', { type: 'number', exclusiveMaximum: 1e10 }, [/^-?\d+$/]],
  ['numbers in single precision', { type: 'number', format: 'float' }, [/\./]],
  ['lengths in characters', { type: 'string', minLength: 2, maxLength: 3 }, [/^"(.|\\.){2,3}"$/u]],
  ['an anchored pattern', { type: 'string', pattern: '^[a-c]+-\\d{2}$' }, [/^"[a-c]+-\d\d"$/]],
  ['an open pattern', { type: 'string', pattern: 'b\\W', maxLength: 5 }, [/b/]],
  ['a pattern in which backtracking is slow', { type: 'string', pattern: '^(a+)+$' }, [/^"a+"$/]],
  ['a negated class', { type: 'string', pattern: '^[^ -~]{2}$' }, [/^"/]],
  ['dates', { type: 'string', format: 'date' }, [/-(0|1)\d-/]],
  ['times', { type: 'string', format: 'time' }, [/Z"$/, /[+-]\d\d:\d\d"$/]],
  ['a date-time', { type: 'string', format: 'date-time' }, [/T/]],
  ['a UUID', { type: 'string', format: 'uuid' }, [/^"[\da-fA-F-]{36}"$/]],
  ['an e-mail address', { type: 'string', format: 'email', maxLength: 254 }, [/@.+\./]],
  [
    'enum of any types',
    { enum: ['a', 1, null, { b: [2, 'c'] }, 1.5] },
    [/^"a"$/, /^1$/, /null/, /b/],
  ],
  ['enum and const together', { enum: ['a', 'b', 'c'], const: 'b' }, [/^"b"$/]],
  ['enum and type together', { enum: ['a', 1, 2, 3.5], type: 'integer', maximum: 1 }, [/^1$/]],
  [
    'required and optional properties',
    object({ a: { type: 'null' }, b: { type: 'null' }, c: { type: 'null' } }, { required: ['b'] }),
    [/^\{"b"/, /"a"/, /"c"/, /^\{"b": ?null\}$/],
  ],
  ['no property at all', object({ a: {} }, { maxLength: 1 }), [/^\{\}$/, /"a"/]],
  [
    'required and not declared',
    { type: 'object', required: ['x'], additionalProperties: { type: 'boolean' } },
    [/"x": ?(true|false)/],
  ],
  [
    'names of any kind',
    { type: 'object', additionalProperties: { type: 'integer' } },
    [/^\{\}$/, /":/],
  ],
  ['no names', { type: 'object', additionalProperties: false }, [/^\{\}$/]],
  ['items', { type: 'array', items: { const: 1 }, minItems: 1, maxItems: 3 }, [/^\[1\]$/]],
  [
    'items by their place',
    {
      type: 'array',
      prefixItems: [{ const: 'a' }, { const: 'b' }],
      items: { const: 'c' },
      minItems: 3,
    },
    [/^\["a", ?"b", ?"c"/],
  ],
  ['no further items', { type: 'array', prefixItems: [{ const: 1 }], items: false }, [/^\[1?\]$/]],
  ['anyOf', { anyOf: [{ type: 'null' }, { const: 'x' }] }, [/null/, /x/]],
  [
    'anyOf and what stands beside it',
    { type: 'string', anyOf: [{ maxLength: 1 }, { const: 'abc' }, { type: 'integer' }] },
    [/^"(.|\\.)"$/, /^""$/],
  ],
  [
    'oneOf of branches that differ',
    {
      oneOf: [
        object({ kind: { const: 'a' }, size: { type: 'integer' } }, { required: ['kind'] }),
        object({ kind: { const: 'b' } }, { required: ['kind'] }),
      ],
    },
    [/"a"/, /"b"/],
  ],
  [
    'oneOf of types',
    { oneOf: [{ type: 'integer' }, { type: 'string', maxLength: 2 }] },
    [/^"/, /^\d/],
  ],
  [
    'oneOf of ranges',
    { type: 'integer', oneOf: [{ maximum: 3 }, { minimum: 7 }] },
    [/^[7-9]$/, /^[0-3]$/],
  ],
  [
    'allOf',
    {
      allOf: [
        object({ a: { type: 'integer', minimum: 2 } }, { required: ['a'] }),
        object({ a: { maximum: 3 }, b: { const: 'b' } }, { required: ['b'] }),
      ],
    },
    [/^\{"a": ?[23], ?"b": ?"b"\}$/],
  ],
  [
    '$ref and what stands beside it',
    { $ref: '#/definitions/n', maximum: 4, definitions: { n: { type: 'integer', minimum: 4 } } },
    [/^4$/],
  ],
  ['a recursive $ref', list, [/"next": ?\{/, /"next": ?null/]],
  [
    'annotations',
    { title: 't', default: 3, $comment: 'c', 'x-a': 1, discriminator: {}, madeUp: {}, const: 1 },
    [/^1$/],
  ],
]

describe('every text of a schema is valid, and the texts are not all alike', () => {
  test.each(enforced)('%s', (_name, schema, seen) => {
    const texts = sampleSchema(schema, 200)
    expect(texts.length).toBeGreaterThan(100)
    const isValid = validatorOf(schema)
    expect(texts.filter((text) => isValid?.(text) !== true)).toEqual([])
    for (const pattern of seen) expect(texts.some((text) => pattern.test(text))).toBe(true)
  })
})

test('random schemas: every text is valid', () => {
  const { compiled, texts } = checkRandomSchemas(100)
  expect(compiled).toBeGreaterThan(50)
  expect(texts).toBeGreaterThan(200)
})

test('no whitespace except one space after a comma or a colon', () => {
  for (const text of sampleSchema(list, 50)) {
    expect(text.replaceAll(/[,:] /g, ':')).not.toMatch(/\s/)
  }
})

test('an object has each of its names once, however the tokens are chosen', () => {
  const schema = {
    type: 'object',
    additionalProperties: { const: 0 },
  }
  for (const text of sampleSchema(schema, 300)) {
    const names = [...text.matchAll(/"((?:[^"\\]|\\.)*)":/g)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
  }
})

test('any JSON object is an object', () => {
  expect(compileJsonObject().example()).toBe('{}')
})

const properties = (count: number, schema: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema]))

const refusedSchemas: [name: string, schema: unknown, path: string][] = [
  ['$ref elsewhere', { $ref: 'https://example.com/a.json' }, '$ref'],
  ['$ref to nothing', { $ref: '#/$defs/a' }, '$ref'],
  ['looking behind', { type: 'string', pattern: '(?<=a)b' }, 'pattern'],
  ['a backreference', { type: 'string', pattern: '(a)\\1' }, 'pattern'],
  ['a word boundary', { type: 'string', pattern: '\\bword' }, 'pattern'],
  ['an anchor inside', { type: 'string', pattern: 'a(^b|c)' }, 'pattern'],
  ['a pattern that is none', { type: 'string', pattern: '(' }, 'pattern'],
  [
    'oneOf of branches that overlap',
    {
      oneOf: [
        { type: 'string', format: 'email' },
        { type: 'string', format: 'uri' },
      ],
    },
    'oneOf',
  ],
  [
    'oneOf of branches that overlap in values that a oneOf inside one of them leaves out',
    {
      oneOf: [
        { oneOf: [{ type: 'string' }, { type: 'string', maxLength: 2, format: 'date' }] },
        { type: 'string', maxLength: 2 },
      ],
    },
    'oneOf',
  ],
  ['oneOf of branches that are the same', { oneOf: [{ type: 'object' }, object({ a: {} })] }, ''],
  ['a type that is none', { type: 'text' }, 'type'],
  ['a list of no types', { type: [] }, 'type'],
  ['a negative length', { minLength: -1 }, 'minLength'],
  ['properties that are no schemas', object({ a: 3 }), 'properties.a'],
  ['$defs in a circle', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, '$defs.a'],
  ['itself', { $ref: '#' }, ''],
  ['itself, among others', { anyOf: [{ type: 'null' }, { $ref: '#' }] }, ''],
  ['nothing', false, ''],
  ['an empty enum', { enum: [] }, ''],
  ['a rounded value', object({ id: { const: 2 ** 53 } }), 'properties.id.const'],
  ['a rounded member of a value', { enum: [{ id: [-(2 ** 60)] }] }, 'enum'],
  ['an enum without its type', { enum: ['a'], type: 'integer' }, ''],
  [
    'a range without a number',
    { type: 'integer', minimum: 3, exclusiveMaximum: 4, maximum: 2 },
    '',
  ],
  ['lengths without a string', { type: 'string', minLength: 3, maxLength: 2 }, ''],
  ['an object that never ends', object({ a: { $ref: '#' } }, { required: ['a'] }), ''],
  ['a required property that is forbidden', object({ a: false }, { required: ['a'] }), ''],
  ['100,000 values', { enum: Array.from({ length: 1e5 }, (_, index) => index) }, 'enum'],
  ['1,000 properties', object(properties(1000, {})), 'properties'],
  [
    '3,000 subschemas',
    JSON.parse(JSON.stringify(object(properties(250, object(properties(12, {})))))),
    '',
  ],
  ['a long minimum', { type: 'string', minLength: 1e6 }, 'minLength'],
  ['many items', { type: 'array', minItems: 1e6 }, 'minItems'],
  ['a pattern with many states', { type: 'string', pattern: '(a|b)*a(a|b){18}' }, 'pattern'],
  ['a pattern that repeats repetitions', { type: 'string', pattern: '(a{900}){900}' }, 'pattern'],
  [
    'a pattern with a long length',
    { type: 'string', pattern: '^(ab|cd)+$', minLength: 4000 },
    'pattern',
  ],
  [
    'many alternatives',
    { allOf: Array.from({ length: 9 }, () => ({ anyOf: [{ type: 'null' }, { const: 1 }] })) },
    '',
  ],
  [
    'an array of long arrays of long strings, many times',
    object(
      Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [
          `p${index}`,
          { type: 'array', minItems: 500 + index, items: { type: 'number', minimum: index } },
        ]),
      ),
    ),
    '',
  ],
]

describe('a schema that is not supported, has no valid value or is too large is refused, with the path (T25)', () => {
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

test('a maximum above the supported one is lowered to it', () => {
  expect(compileSchema({ type: 'string', maxLength: 1e9 }).example()).toMatch(/^"/)
  expect(compileSchema({ type: 'array', maxItems: 1e9 }).example()).toBe('[]')
})

test('a schema whose parts nest too deep, or that has too many, is refused for that (T25)', () => {
  const nested = (levels: number): object =>
    levels === 0 ? { type: 'null' } : { allOf: [nested(levels - 1)] }
  expect(compileSchema(nested(60)).example()).toBe('null')
  expect(() => compileSchema(nested(70))).toThrow('The schema nests deeper than 64 levels.')
  const tuple = (items: number) => ({
    type: 'array',
    prefixItems: Array.from({ length: items }, () => ({ type: 'null' })),
  })
  compileSchema(object({ a: tuple(900), b: tuple(900) }))
  expect(() => compileSchema(object({ a: tuple(1000), b: tuple(1000) }))).toThrow(
    'The schema has more than 2000 subschemas.',
  )
})
