import { afterAll, describe, expect, test } from 'vitest'
import type { Engine, Prompt } from '../../src/engine/engine.ts'
import { bundledModelPath } from '../../src/paths.ts'
import {
  collect,
  never,
  randomModelIn,
  requestFor,
  startEngine,
  temporaryFolder,
} from '../support/engine/engine-fixtures.ts'
import { closingSchemas } from '../support/schemas/closing-schemas.ts'
import { isJson, validator } from '../support/schemas/schema-check.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** Values of max_tokens that fit the shortest valid text of each schema with either model's tokenizer. */
const limits = [50, 51, 53, 57, 64]

describe.each([
  ['a random model', randomModelIn(folder.path, { contextTokens: 1024 })],
  ['the bundled model', bundledModelPath],
])('%s', (_, modelPath) => {
  test('every reply at its limit is valid, and without the rule some are cut', async () => {
    // Speculative tokens are on, so some steps sample several tokens.
    const engine = await startEngine({ modelPath })
    try {
      let cut = 0
      for (const [name, schema] of closingSchemas) {
        const isValid = validator(schema)
        for (const maxTokens of limits) {
          const { text, finish, tokens } = await reply(engine, schema, maxTokens, true)
          expect(isJson(text) && isValid(text), `${name}, ${maxTokens}: ${text}`).toBe(true)
          expect(tokens).toBeLessThanOrEqual(maxTokens)
          expect(['stop', 'length']).toContain(finish.reason)
        }
        if (!isJson((await reply(engine, schema, 50, false)).text)) cut += 1
      }
      expect(cut).toBeGreaterThan(0)
    } finally {
      await engine.close()
    }
  })
})

test('a reply in a format is complete within the rest of the context, or is refused', async () => {
  const contextTokens = 512
  const engine = await startEngine({ modelPath: bundledModelPath, contextTokens })
  const names = Array.from({ length: 8 }, (_, index) => `q${index}_xz`)
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]))
  const schema = { type: 'object', properties, required: names, additionalProperties: false }
  const format = formatOf(schema)
  /** Returns a prompt that leaves at most this many tokens for the reply. */
  const promptLeaving = async (tokens: number): Promise<Prompt> => {
    for (let words = contextTokens - tokens - 20; ; words++) {
      const messages = [{ role: 'user', content: 'cat '.repeat(words) } as const]
      const prompt = await engine.prepare(messages, never, { format })
      if (contextTokens - prompt.tokens.length <= tokens) return prompt
    }
  }
  const replyTo = (prompt: Prompt, maxTokens: number) => {
    const request = requestFor(prompt, { maxTokens, temperature: 1 })
    return collect(engine.generate({ ...request, format, completesFormat: true }, never))
  }
  try {
    const { text } = await replyTo(await promptLeaving(70), 256)
    expect(isJson(text) && validator(schema)(text), text).toBe(true)
    const long = await promptLeaving(33)
    for (const maxTokens of [30, 256])
      await expect(replyTo(long, maxTokens)).rejects.toMatchObject({
        code: 'context_length_exceeded',
        message: expect.stringMatching(/Your messages have 479 tokens, .* needs room for \d+ more/),
      })
    await expect(replyTo(await promptLeaving(400), 30)).rejects.toMatchObject({
      code: 'integer_below_min_value',
    })
  } finally {
    await engine.close()
  }
})

function formatOf(schema: unknown) {
  return { type: 'json_schema', schema: JSON.stringify(schema), at: '' } as const
}

async function reply(engine: Engine, schema: unknown, maxTokens: number, completesFormat: boolean) {
  const format = formatOf(schema)
  const messages = [{ role: 'user', content: 'Write an example.' } as const]
  const prompt = await engine.prepare(messages, never, { format })
  const request = requestFor(prompt, { maxTokens, temperature: 1, seed: maxTokens })
  return await collect(engine.generate({ ...request, format, completesFormat }, never))
}
