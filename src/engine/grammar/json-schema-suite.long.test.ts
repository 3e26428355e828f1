import { strict as assert } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleText } from '../../../test/support/schemas/grammar-sampling.ts'
import { validator } from '../../../test/support/schemas/schema-check.ts'
import { compileSchema } from './compile-schema.ts'
import { type Grammar, SchemaRefused } from './grammar.ts'

/** Path of tests/draft2020-12 in json-schema-org/JSON-Schema-Test-Suite, which is not published on npm. */
const folder = process.env['JSON_SCHEMA_TEST_SUITE']
const textsOfEach = 10

type Group = { description: string; schema: unknown; tests: { valid: boolean }[] }

test('the schemas of the JSON-Schema-Test-Suite: enforced, or refused by name', ({ skip }) => {
  if (folder === undefined)
    return skip('JSON_SCHEMA_TEST_SUITE does not name its tests/draft2020-12')
  const counts = { compiled: 0, refused: 0, texts: 0 }
  const wrong: string[] = []
  for (const [name, { schema, tests }] of groupsIn(folder)) {
    const grammar = compile(schema)
    if (grammar instanceof SchemaRefused) {
      counts.refused += 1
      // A schema that we call impossible must have no valid text in the suite.
      const isImpossible = grammar.message.startsWith('No value')
      if (isImpossible && tests.some(({ valid }) => valid))
        wrong.push(`${name}: refused as impossible`)
      continue
    }
    counts.compiled += 1
    const isValid = validatorOf(schema)
    if (isValid === undefined) continue
    const seeds = Array.from({ length: textsOfEach }, (_, seed) => seed + 1)
    for (const text of [grammar.example(), ...seeds.map((seed) => sampleText(grammar, seed))]) {
      if (text === undefined) continue
      counts.texts += 1
      if (!isValid(text)) wrong.push(`${name}: ${text}`)
    }
  }
  // Ajv takes the inherited `constructor` for a property of an empty object, and does not find the anchors of
  // `$dynamicRef`.
  const byAjv = /javascript object property|behaves like a normal \$ref to an \$anchor/i
  expect(wrong.filter((one) => !byAjv.test(one))).toEqual([])
  expect(counts.compiled).toBeGreaterThan(100)
  expect(counts.texts).toBeGreaterThan(1000)
  console.log(counts)
})

function* groupsIn(path: string): Generator<[string, Group]> {
  for (const file of readdirSync(path).filter((one) => one.endsWith('.json'))) {
    const groups: unknown = JSON.parse(readFileSync(join(path, file), 'utf8'))
    assert(Array.isArray(groups), `${file} is not a file of the suite`)
    for (const group of groups as Group[]) yield [`${file}, ${group.description}`, group]
  }
}

function compile(schema: unknown): Grammar | SchemaRefused {
  try {
    return compileSchema(schema)
  } catch (error) {
    if (error instanceof SchemaRefused) return error
    throw error
  }
}

/** Returns undefined for schemas that Ajv cannot read alone, because they refer to a server. */
function validatorOf(schema: unknown): ((text: string) => boolean) | undefined {
  try {
    return validator(schema)
  } catch {
    return undefined
  }
}
