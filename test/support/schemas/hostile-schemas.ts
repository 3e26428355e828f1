import { randomNumbers } from '../random/random-numbers.ts'
import { condition } from './condition.ts'

/** Schemas of a few KB that make a careless compiler work for seconds, each through a different loop. */
export const hostileSchemas: readonly [name: string, schema: object][] = [
  [
    'sets of 1,200 facts, copied for 256 alternatives and 300 parts',
    {
      allOf: [
        { allOf: times(1200, () => ({})) },
        { anyOf: times(16, () => ({})) },
        { anyOf: times(16, () => ({})) },
        ...times(300, () => ({})),
      ],
    },
  ],
  [
    'alternatives that are copied for each of 200 properties',
    {
      $defs: { a: nested(50, { anyOf: times(200, (minLength) => ({ minLength })) }) },
      properties: members(200, (maxLength) => ({ allOf: [{ $ref: '#/$defs/a' }], maxLength })),
    },
  ],
  [
    'two to the power of 28 references to a schema without values',
    {
      $defs: {
        ...Object.fromEntries(
          times(28, (index) => [
            `d${index}`,
            { anyOf: times(2, () => ({ $ref: `#/$defs/d${index + 1}` })) },
          ]),
        ),
        d28: false,
      },
      $ref: '#/$defs/d0',
    },
  ],
  [
    '12,000 required names, looked up in each of 800 values',
    { enum: times(800, (a) => ({ a })), required: times(12_000, () => 'a') },
  ],
  ['a class of 240 ranges, repeated', { type: 'string', pattern: `^${classOf(240)}{400}$` }],
  [
    'a class of 230 ranges with lengths',
    { type: 'string', pattern: `^${classOf(230)}{1,1000}$`, maxLength: 900 },
  ],
  ['empty choices, repeated', { type: 'string', pattern: `^(?:${'|'.repeat(900)}){1000}a$` }],
  ['large sets of states', { type: 'string', pattern: '^\\W\\w{50}(?:[^a]){0,500}' }],
  [
    'an array of 1,000 items with 1,500 constraints each',
    { type: 'array', minItems: 1000, allOf: times(1500, () => ({ items: { minLength: 1 } })) },
  ],
  [
    'one pattern with many lengths',
    {
      properties: members(250, (index) => ({
        type: 'string',
        pattern: '^[ab]{1,20}(?:[c-z][0-9]){1,20}$',
        maxLength: 200 + index,
      })),
    },
  ],
  [
    'branches that are compared with each other',
    { oneOf: times(250, (index) => ({ required: times(100, () => 'k'), const: { k: index } })) },
  ],
  ...hostileLogic(),
  ...hostileParts(),
]

/** Schemas whose negations, conditions or names are the expensive part. */
function hostileLogic(): [name: string, schema: object][] {
  const open = (index: number): object => ({ properties: members(8, () => ({ minLength: index })) })
  return [
    ['branches that all overlap', { oneOf: times(60, open) }],
    ['negations within negations', { not: nestedNot(50, { anyOf: times(200, open) }) }],
    ['conditions within conditions', nestedIf(40)],
    [
      'properties that need others',
      { dependentRequired: members(250, (index) => [`p${index + 1}`, `p${index + 2}`]) },
    ],
    [
      'patterns of names that overlap',
      {
        patternProperties: Object.fromEntries(
          times(40, (index) => [`^.{${index}}[a-m].*${index}`, {}]),
        ),
        additionalProperties: {},
      },
    ],
    [
      'names of many forms',
      { propertyNames: { anyOf: times(200, (max) => ({ maxLength: 900 + max })) } },
    ],
    [
      'a long list that counts items',
      { type: 'array', minItems: 1000, contains: { const: 1 }, minContains: 1000 },
    ],
    [
      'unique items of many patterns',
      {
        type: 'array',
        uniqueItems: true,
        items: {
          anyOf: times(200, (index) => ({ pattern: `^[ab]{${index},900}$`, type: 'string' })),
        },
      },
    ],
    [
      'large divisors',
      {
        anyOf: times(250, (index) => ({
          type: 'integer',
          multipleOf: 101 + index,
          minimum: index,
        })),
      },
    ],
  ]
}

/** Schemas with expensive patterns, references and numbers. */
function hostileParts(): [name: string, schema: object][] {
  const categories = ['L', 'Lu', 'Ll', 'Lo', 'M', 'N', 'Nd', 'P', 'S', 'Zs']
  return [
    [
      'conditions in a pattern',
      { type: 'string', pattern: `^${'(?!a.*b)(?=.*c.{9})'.repeat(50)}.*$` },
    ],
    ['ways through a pattern', { type: 'string', pattern: `^${'(?:a|(?=b)c)?'.repeat(60)}$` }],
    [
      'properties of Unicode',
      { type: 'string', pattern: categories.map((name) => `\\p{${name}}`).join('') },
    ],
    [
      'many anchors',
      {
        $defs: members(2000, (index) => ({ $anchor: `a${index}`, $id: `i${index}` })),
        allOf: times(1000, (index) => ({ $ref: `i${index}#a${index}` })),
      },
    ],
    [
      'nothing beside many properties',
      nested(60, { properties: members(250, () => ({})), unevaluatedProperties: false }),
    ],
    [
      'formats with long lengths',
      {
        properties: members(250, (index) => ({
          type: 'string',
          format: 'uri',
          minLength: 20,
          maxLength: 300 + index,
        })),
      },
    ],
    [
      'many formats together',
      {
        type: 'string',
        allOf: ['uri', 'uri-reference', 'regex', 'email', 'ipv6', 'date-time'].map((format) => ({
          format,
        })),
      },
    ],
    ['numbers of members', { properties: members(250, () => ({})), minProperties: 200 }],
    ['values left out', { type: 'number', not: { enum: times(1000, (index) => index * 7) } }],
    [
      'texts left out',
      { type: 'string', not: { enum: times(1000, (index) => 'x'.repeat(index % 60) + index) } },
    ],
  ]
}

function nestedNot(levels: number, schema: object): object {
  return levels === 0 ? schema : { not: { allOf: [nestedNot(levels - 1, schema)] } }
}

function nestedIf(levels: number): object {
  const inner = levels === 0 ? {} : nestedIf(levels - 1)
  return condition({ required: [`p${levels}`] }, inner, { required: [`q${levels}`] })
}

const widths = [1, 2, 3, 8, 16, 60, 200]
const definitions = 8
const wideKeywords = [
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'items',
  'properties',
  'not',
  'contains',
  'if',
]

/** Makes schemas with wide lists, many references and large patterns; the same for the same seed. */
export class HostileSchemas {
  readonly #random: () => number
  /** Number of subschemas that may still be made. */
  #left = 0

  constructor(seed: number) {
    this.#random = randomNumbers(seed)
  }

  next(): object {
    this.#left = this.#pick([10, 30, 100, 300])
    const defs = times(definitions, (index) => [`d${index}`, this.#schema(2)])
    return { $defs: Object.fromEntries(defs), allOf: [this.#schema(3)] }
  }

  #schema(depth: number): unknown {
    this.#left -= 1
    if (depth === 0 || this.#left < 0) return this.#leaf()
    const wide = this.#pick(widths)
    const parts = (): unknown[] => times(wide, () => this.#schema(depth - 1))
    const one = (): object => {
      const keyword = this.#pick(wideKeywords)
      if (keyword === 'not' || keyword === 'contains') return { [keyword]: this.#schema(depth - 1) }
      if (keyword === 'if')
        return condition({ not: this.#schema(depth - 1) }, { allOf: [this.#schema(depth - 1)] })
      if (keyword === 'items') return { items: this.#schema(depth - 1), minItems: wide * 5 }
      if (keyword !== 'properties') return { [keyword]: parts() }
      const required = times(this.#pick([1, 250, 2000]), (index) => `p${index % wide}`)
      return { properties: members(wide, () => this.#schema(depth - 1)), required }
    }
    const leaf = this.#pick([{}, this.#leaf()])
    return Object.assign({}, one(), one(), leaf)
  }

  #leaf(): object {
    const number = this.#pick(widths)
    return this.#pick([
      () => ({}),
      () => ({ $ref: `#/$defs/d${number % definitions}` }),
      () => ({ minLength: number, maxLength: 40 * number }),
      () => ({ type: 'string', pattern: this.#pattern(), maxLength: 10 * number }),
      () => ({ enum: times(number, (index) => ({ p0: index, k: 'x'.repeat(index % 20) })) }),
      () => ({
        format: this.#pick(['email', 'date-time', 'uuid', 'uri', 'regex']),
        maxLength: number,
      }),
      () => ({ type: 'integer', multipleOf: number }),
      () => ({ type: 'array', uniqueItems: true, items: this.#leafOf(number) }),
      () => ({ propertyNames: this.#leafOf(number), minProperties: number % 9 }),
      () => ({ patternProperties: { [this.#pattern()]: {}, [this.#pattern()]: {} } }),
      () => ({ type: 'number', minimum: this.#random(), maximum: number * this.#random() * 1e12 }),
    ])()
  }

  #leafOf(number: number): object {
    return this.#pick([
      { type: 'string', pattern: this.#pattern() },
      { enum: times(number, (index) => `v${index}`) },
      { type: 'string', maxLength: number },
    ])
  }

  #pattern(): string {
    const atoms = ['.', 'a', '\\w', '\\W', '[^a]', classOf(3), classOf(100), '(?:a|\\w+|b{0,30})']
    const counts = ['', '*', '+', '?', '{2}', '{50}', '{0,50}', '{0,500}']
    const parts = times(this.#pick([1, 2, 3, 5]), () => this.#pick(atoms) + this.#pick(counts))
    return this.#pick(['', '^']) + parts.join('').slice(0, 900) + this.#pick(['', '$'])
  }

  #pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.#random() * values.length)]
    if (value === undefined) throw new Error('there is nothing to pick')
    return value
  }
}

function times<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index))
}

function members(length: number, make: (index: number) => unknown): object {
  return Object.fromEntries(times(length, (index) => [`p${index}`, make(index)]))
}

function nested(levels: number, schema: object): object {
  return levels === 0 ? schema : { allOf: [nested(levels - 1, schema)] }
}

function classOf(ranges: number): string {
  const range = (index: number): string =>
    `${String.fromCodePoint(0x4e00 + 3 * index)}-${String.fromCodePoint(0x4e01 + 3 * index)}`
  return `[${times(ranges, range).join('')}]`
}
