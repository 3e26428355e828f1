import { fc } from '../random/test-seed.ts'

const name = fc.constantFrom('a', 'b', 'c', 'längst', 'x y', '"')
// Ajv calls `toString` and `valueOf` when it compares objects, so no value may contain these names.
const jsonValue = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => !/toString|valueOf/.test(JSON.stringify(value)))
const count = fc.integer({ min: 0, max: 4 })
const bound = fc.oneof(fc.integer({ min: -1200, max: 1200 }), fc.constantFrom(0.5, -0.25, 1e12))

const optional = <T>(keyword: string, value: fc.Arbitrary<T>) =>
  fc
    .option(value, { nil: undefined, freq: 2 })
    .map((given) => (given === undefined ? {} : { [keyword]: given }))
const keywords = (...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((objects) => Object.assign({}, ...objects) as object)
const typed = (type: unknown) => fc.constant({ type })

const strings = keywords(
  typed('string'),
  optional('minLength', count),
  optional('maxLength', fc.integer({ min: 2, max: 12 })),
  fc.oneof(
    fc.constant({}),
    fc
      .constantFrom('^[a-z]{1,3}$', '^(?:ab|c)*$', '\\d', '^.{0,3}[^\\s]$', 'ü|ö$')
      .map((pattern) => ({ pattern })),
    fc.constantFrom('date', 'time', 'date-time', 'uuid', 'email').map((format) => ({ format })),
  ),
)
const numbers = keywords(
  fc.constantFrom('integer', 'number').map((type) => ({ type })),
  optional('minimum', bound),
  optional('maximum', bound),
  optional('exclusiveMinimum', bound),
  optional('exclusiveMaximum', bound),
)

/** Generates schemas of the enforced keywords, often with several that interact. */
export const randomSchema: fc.Arbitrary<object> = fc
  .letrec<{ schema: object | boolean }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      strings,
      numbers,
      fc.constantFrom<object | boolean>(
        true,
        {},
        { type: 'boolean' },
        { type: 'null' },
        { $ref: '#/$defs/d' },
      ),
      fc.record({ enum: fc.array(jsonValue, { minLength: 1, maxLength: 4 }) }),
      fc.record({ const: jsonValue }),
      keywords(
        fc.constantFrom({ type: 'object' }, { type: ['object', 'null'] }, {}),
        optional('properties', fc.dictionary(name, tie('schema'), { maxKeys: 4 })),
        optional('required', fc.uniqueArray(name, { maxLength: 2 })),
        optional('additionalProperties', tie('schema')),
      ),
      keywords(
        fc.constantFrom({ type: 'array' }, { type: ['array', 'integer'] }),
        optional('items', tie('schema')),
        optional('prefixItems', fc.array(tie('schema'), { minLength: 1, maxLength: 3 })),
        optional('minItems', fc.integer({ min: 0, max: 3 })),
        optional('maxItems', fc.integer({ min: 1, max: 4 })),
      ),
      keywords(
        fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
        optional('type', fc.constantFrom('object', 'string', 'integer')),
      ),
      fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
    ),
  }))
  .schema.chain((schema) =>
    fc.tuple(fc.constant(schema), fc.oneof(strings, numbers)).map(([root, leaf]) => ({
      allOf: [root],
      $defs: {
        d: {
          type: 'object',
          properties: { v: leaf, next: { $ref: '#/$defs/d' } },
          required: ['v'],
        },
      },
    })),
  )
