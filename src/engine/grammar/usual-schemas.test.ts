import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { validatorOf } from '../../../test/support/schemas/corpus.ts'
import { sampleText } from '../../../test/support/schemas/grammar-sampling.ts'
import { packageRoot } from '../../paths.ts'
import { compileSchema } from './compile-schema.ts'
import { SchemaRefused } from './grammar.ts'

/**
 * Libraries, with the number of types for which each wrote a schema. The versions are Pydantic 2.13, Zod 4.6,
 * `zodResponseFormat` of openai 7.55 and Valibot 1.5. `refused` names the types that cannot be enforced.
 */
const libraries: [library: string, types: number, refused: string[]][] = [
  ['pydantic', 90, []],
  ['zod', 102, ['emoji', 'hostname']],
  ['zod-response-format', 85, ['emoji', 'hostname']],
  ['valibot', 37, ['emoji']],
]

test.each(libraries)('%s: the usual types are enforced', (library, types, refused) => {
  const path = join(packageRoot, 'test/support/schemas/usual', `${library}.json`)
  const schemas = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  const refusals: string[] = []
  const wrong: string[] = []
  for (const [name, schema] of Object.entries(schemas)) {
    try {
      const grammar = compileSchema(schema)
      const isValid = validatorOf(schema)
      const texts = [1, 2, 3, 4, 5].map((seed) => sampleText(grammar, seed))
      for (const text of [grammar.example(), ...texts])
        if (text !== undefined && isValid?.(text) !== true) wrong.push(`${name}: ${text}`)
    } catch (error) {
      if (!(error instanceof SchemaRefused)) throw error
      refusals.push(name)
    }
  }
  expect(wrong).toEqual([])
  expect(refusals).toEqual(refused)
  expect(Object.keys(schemas)).toHaveLength(types)
  expect(1 - refusals.length / types).toBeGreaterThan(0.95)
})

test.each([
  ['z.int()', { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }],
  ['a number from 0', { type: 'number', minimum: 0 }],
  ['a positive number', { type: 'number', exclusiveMinimum: 0 }],
  ['a number in single precision', { type: 'number', format: 'float' }],
])('an object of 80 properties of the same range compiles: %s', (_, property) => {
  const names = Array.from({ length: 80 }, (__, index) => `p${index}`)
  // Each property has an object of its own, as in a parsed request.
  const properties = Object.fromEntries(names.map((name) => [name, { ...property }]))
  const schema = { type: 'object', properties, required: names }
  expect(validatorOf(schema)?.(compileSchema(schema).example())).toBe(true)
})

test('a union whose tag has a default, which Pydantic does not require, compiles, and every value has the tag', () => {
  const model = (kind: string) => ({
    type: 'object',
    properties: {
      id: { type: 'integer' },
      label: { type: 'string' },
      kind: { const: kind, default: kind, type: 'string' },
      [`${kind}_size`]: { type: 'integer' },
    },
    required: ['id', 'label', `${kind}_size`],
  })
  const kinds = ['cat', 'dog', 'fox', 'hen', 'cow', 'pig', 'bee', 'ant']
  const schema = {
    discriminator: { propertyName: 'kind' },
    oneOf: kinds.map((kind) => ({ $ref: `#/$defs/${kind}` })),
    $defs: Object.fromEntries(kinds.map((kind) => [kind, model(kind)])),
  }
  const grammar = compileSchema(schema)
  const texts = Array.from({ length: 40 }, (_, seed) => sampleText(grammar, seed))
  const found = texts.filter((text) => text !== undefined)
  expect(found.length).toBeGreaterThan(20)
  for (const text of found) {
    expect(validatorOf(schema)?.(text)).toBe(true)
    expect(kinds).toContain((JSON.parse(text) as { kind?: string }).kind)
  }
})
