import type { Draft } from './draft.ts'
import { hostileText, hostileValue, Members } from './json-text.ts'
import { hostilePattern } from './patterns.ts'
import type { Random } from './random.ts'
import { withSchema } from './schema-request.ts'

/** Asks for a reply that matches a random or a hostile schema. */
export function hostileSchema(random: Random): Draft {
  return withSchema(
    random,
    random.chance(0.3) ? random.pick(families)(random) : randomSchema(random),
  )
}

type Schema = Record<string, unknown> | boolean

/** Returns a random schema with a limited number of nodes. Most keywords may occur together. */
export function randomSchema(random: Random): Schema {
  let nodes = random.magnitude(400)
  const schema = (depth: number): Schema => {
    nodes -= 1
    if (nodes <= 0 || depth === 0)
      return random.pick<Schema>([
        true,
        {},
        { type: 'string' },
        { type: 'integer' },
        { const: 1 },
        { $ref: '#' },
        { $ref: '#/$defs/a' },
        false,
      ])
    const parts = random.list(random.integer(1, 3), () => part(random, () => schema(depth - 1)))
    return Object.assign({}, ...parts) as Schema
  }
  const root = schema(random.integer(1, 12))
  if (typeof root === 'boolean') return root
  return { ...root, $defs: { a: schema(4), b: schema(2) } }
}

function part(random: Random, sub: () => Schema): Keywords {
  return random.chance(0.5) ? combined(random, sub) : leaf(random)
}

type Keywords = Record<string, unknown>

const unsupported = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
  'dependentSchemas',
  '$id',
  '$dynamicRef',
  'x',
]
const references = [
  '#',
  '#/$defs/a',
  '#/$defs/b',
  '#/properties/a',
  '#/$defs/none',
  'http://x/',
  '',
]

/** Returns keywords with subschemas. */
function combined(random: Random, sub: () => Schema): Keywords {
  const some = (most: number) => random.list(random.integer(1, most), sub)
  return random.oneOf<Keywords>(
    () => ({ [random.pick(['allOf', 'anyOf', 'oneOf'])]: some(random.pick([2, 4, 12])) }),
    () => ({ allOf: some(4), anyOf: some(4) }),
    () => ({
      type: 'object',
      properties: Object.fromEntries(
        random.list(random.integer(1, 6), () => [nameOf(random), sub()]),
      ),
      required: random.list(random.integer(1, 3), () => nameOf(random)),
      additionalProperties: sub(),
    }),
    () => ({ type: 'object', patternProperties: { [hostilePattern(random)]: sub() } }),
    () => ({ type: 'array', items: sub(), minItems: count(random), maxItems: count(random) }),
    () => ({ type: 'array', prefixItems: some(5), items: random.chance(0.5) }),
    () => (random.chance(0.2) ? { [random.pick(unsupported)]: sub() } : { anyOf: some(6) }),
  )
}

/** Returns keywords without subschemas. */
function leaf(random: Random): Keywords {
  return random.oneOf<Keywords>(
    () => ({ type: 'string', minLength: count(random), maxLength: count(random) }),
    () => ({ type: 'string', pattern: hostilePattern(random) }),
    () => ({
      type: random.pick(['integer', 'number']),
      minimum: random.pick([-1e300, -12345678901234, -5, 0, 0.1, 3]),
      maximum: random.pick([7, 1e15, 99999999999, 1e300]),
    }),
    () => ({ type: 'integer', multipleOf: random.pick([0.01, 1, 7, 0, -1, 1e-300]) }),
    () => ({
      enum: random.list(random.magnitude(1200), (i) =>
        random.pick<unknown>([i, `v${i}`, null, [i], { a: i }]),
      ),
    }),
    () => ({ const: random.list(random.magnitude(200), (i) => i) }),
    () => ({ $ref: random.pick(references) }),
    () => ({
      type: random.pick<unknown>([
        'null',
        'boolean',
        ['string', 'null'],
        ['object', 'array'],
        [],
        5,
      ]),
    }),
  )
}

function nameOf(random: Random): string {
  return random.pick(['a', 'b', 'c', `k${random.integer(0, 99)}`, '', '\ud800', '"', 'é'])
}

function count(random: Random): number {
  return random.oneOf(
    () => random.integer(0, 5),
    () => random.magnitude(20_000),
    () => (random.chance(0.2) ? random.pick([-1, 0.5, 1e9, 2 ** 53]) : 1),
  )
}

const tree = (
  depth: number,
  keyword: (i: number) => string,
  width: number,
  leaf: () => unknown,
): unknown =>
  depth === 0
    ? leaf()
    : {
        [keyword(depth)]: Array.from({ length: width }, () =>
          tree(depth - 1, keyword, width, leaf),
        ),
      }

/** Shapes that are small as text and large once they are expanded. */
const families: ((random: Random) => unknown)[] = [
  // Products: allOf of anyOf.
  (random) => {
    const width = random.integer(2, 16)
    return {
      allOf: random.list(random.integer(2, 16), (i) => ({
        anyOf: random.list(width, (j) => ({
          properties: { [`p${i}_${j}`]: { type: 'integer' } },
          required: [`p${i}_${j}`],
        })),
      })),
    }
  },
  (random) =>
    tree(
      random.integer(2, 7),
      (i) => (i % 2 === 0 ? 'allOf' : 'anyOf'),
      random.integer(2, 4),
      () => ({ type: 'object', properties: { [`a${random.integer(0, 99)}`]: { type: 'string' } } }),
    ),
  (random) =>
    tree(
      random.integer(2, 7),
      (i) => (i % 2 === 0 ? 'oneOf' : 'allOf'),
      random.integer(2, 3),
      () => ({ enum: random.list(random.integer(1, 9), (i) => i) }),
    ),
  (random) =>
    tree(
      random.integer(2, 8),
      () => 'anyOf',
      random.integer(2, 4),
      () => ({ minLength: random.integer(0, 99), type: 'string' }),
    ),
  // Few alternatives, each of which collects hundreds of conditions.
  (random) => ({
    allOf: [
      ...random.list(random.integer(2, 8), (i) => ({
        anyOf: [{ maxLength: 100 + i }, { minLength: i }],
      })),
      ...random.list(random.integer(100, 1200), (i) => ({ maxLength: 2000 + i })),
    ],
  }),
  // Each definition refers twice to the next.
  (random) => {
    const keyword = random.pick(['allOf', 'anyOf', 'prefixItems', 'oneOf'])
    const depth = random.integer(3, 40)
    return {
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries([
        ...random.list(depth, (i) => [
          `d${i}`,
          { [keyword]: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
        ]),
        [`d${depth}`, { type: 'integer' }],
      ]),
    }
  },
  (random) => ({
    $defs: { a: { [random.pick(['allOf', 'anyOf'])]: [{ $ref: '#/$defs/a' }] } },
    $ref: '#/$defs/a',
  }),
  (random) => ({
    type: 'object',
    properties: {
      a: { $ref: '#' },
      b: { type: 'array', items: { $ref: '#' }, maxItems: random.magnitude(2000) },
    },
  }),
  // Many values with long prefixes in common.
  (random) => ({
    enum: random.list(
      random.integer(100, 1000),
      (i) => `${'ab'.repeat(random.integer(1, 20))}${i}`,
    ),
  }),
  (random) => ({ enum: [hostileText(random, 60_000)] }),
  (random) => ({
    allOf: random.list(random.integer(2, 40), (i) => ({ enum: random.list(200, (j) => i + j) })),
  }),
  // Many optional properties: every subset of them is valid.
  (random) => ({
    type: 'object',
    properties: Object.fromEntries(
      random.list(random.integer(8, 256), (i) => [`p${i}`, { type: 'boolean' }]),
    ),
    additionalProperties: random.chance(0.5),
  }),
  (random) => ({
    allOf: random.list(random.integer(2, 12), (i) => ({
      type: 'object',
      properties: { [`p${i}`]: { type: 'integer' } },
      additionalProperties: random.pick<unknown>([{ type: 'integer' }, true, { minimum: i }]),
    })),
  }),
  (random) => ({
    allOf: random.list(random.integer(2, 30), (i) => ({
      type: 'number',
      minimum: i / 3,
      maximum: 1e15 - i,
    })),
  }),
  (random) => {
    const depth = random.integer(10, 120)
    return JSON.parse(`${'{"items":'.repeat(depth)}true${'}'.repeat(depth)}`)
  },
  (random) =>
    new Members([
      ['type', 'object'],
      ['properties', hostileValue(random)],
      ['required', hostileValue(random)],
    ]),
  (random) => hostileValue(random),
]
