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
