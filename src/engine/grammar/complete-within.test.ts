import { describe, expect, test } from 'vitest'
import {
  fewestTokens,
  sampleWithin,
  tokensNeeded,
} from '../../../test/support/schemas/grammar-sampling.ts'
import { closingSchemas } from '../../../test/support/schemas/closing-schemas.ts'
import { isJson, validator } from '../../../test/support/schemas/schema-check.ts'
import { compileSchema } from './compile-schema.ts'

const seeds = [1, 2, 3]

describe('a text is valid at every token limit that suffices', () => {
  test.each(closingSchemas)('%s', (_name, schema) => {
    const grammar = compileSchema(schema)
    const isValid = validator(schema)
    const least = tokensNeeded(grammar)
    expect(least).toBeGreaterThan(0)
    expect(least).toBeLessThan(50)
    for (let tokensMax = least; tokensMax <= 64; tokensMax++)
      for (const seed of seeds) {
        const text = sampleWithin(grammar, seed, tokensMax)
        expect(isJson(text) && isValid(text), `${tokensMax} tokens: ${text}`).toBe(true)
      }
  })
})

describe('the lower bound of tokens', () => {
  test.each(closingSchemas)('%s: no valid text is shorter', (_name, schema) => {
    const grammar = compileSchema(schema)
    const isValid = validator(schema)
    const fewest = fewestTokens(grammar)
    expect(fewest).toBeGreaterThan(0)
    expect(fewest).toBeLessThanOrEqual(tokensNeeded(grammar))
    for (let tokensMax = 1; tokensMax < fewest; tokensMax++)
      for (let seed = 1; seed <= 20; seed++) {
        const text = sampleWithin(grammar, seed, tokensMax)
        expect(isJson(text) && isValid(text), `${tokensMax} tokens: ${text}`).toBe(false)
      }
  })

  test('counts fixed texts, and long ones of any bytes', () => {
    // The name takes one token per byte, because no longer token of this vocabulary contains its bytes.
    const name = 'xyz'.repeat(10)
    const object = { type: 'object', properties: { [name]: { type: 'null' } }, required: [name] }
    expect(fewestTokens(compileSchema(object))).toBeGreaterThan(30)
    const long = { type: 'string', minLength: 300 }
    expect(fewestTokens(compileSchema(long))).toBeGreaterThan(50)
  })
})

test('without `closeWithin`, most texts of 40 tokens are cut', () => {
  const texts = closingSchemas.map(([, schema]) =>
    sampleWithin(compileSchema(schema), 1, 40, false),
  )
  expect(texts.filter((text) => !isJson(text)).length).toBeGreaterThan(closingSchemas.length / 3)
})

test('far from the limit, `closeWithin` changes nothing', () => {
  for (const [, schema] of closingSchemas) {
    const grammar = compileSchema(schema)
    const cut = sampleWithin(grammar, 5, 60, false)
    expect(sampleWithin(grammar, 5, 400).slice(0, 20)).toBe(cut.slice(0, 20))
  }
})
