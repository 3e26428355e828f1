import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { fc } from '../random/test-seed.ts'
import { compileSchema } from '../../../src/engine/grammar/compile-schema.ts'
import { type Grammar, SchemaRefused } from '../../../src/engine/grammar/grammar.ts'
import { sampleText } from './grammar-sampling.ts'
import { randomSchema } from './random-schema.ts'

/** Compiles a schema with Ajv, an independent implementation that judges the generated texts. */
export function validator(schema: unknown): (text: string) => boolean {
  const ajv = new Ajv2020({ strict: false, logger: false })
  formats.default(ajv)
  const validate = ajv.compile(schema as object)
  return (text) => validate(JSON.parse(text)) === true
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Checks random texts of random schemas; a failing run prints its seed. */
export function checkRandomSchemas(numRuns: number): { compiled: number; texts: number } {
  const counts = { compiled: 0, texts: 0 }
  fc.assert(
    fc.property(randomSchema, fc.nat(), (schema, seed) => {
      let grammar: Grammar
      try {
        grammar = compileSchema(schema)
      } catch (error) {
        if (error instanceof SchemaRefused) return
        throw error
      }
      counts.compiled += 1
      const isValid = validator(schema)
      const sampled = [0, 1, 2, 3, 4].map((offset) => sampleText(grammar, seed + offset))
      for (const text of [grammar.example(), ...sampled]) {
        if (text === undefined) continue
        counts.texts += 1
        if (!isValid(text)) throw new Error(`not admitted: ${text}`)
      }
    }),
    { numRuns },
  )
  return counts
}
