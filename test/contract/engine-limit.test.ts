import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { packageRoot } from '../../src/paths.ts'
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
  ['the bundled model', join(packageRoot, 'model/svc-o1-mini.gguf')],
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

async function reply(engine: Engine, schema: unknown, maxTokens: number, completesFormat: boolean) {
  const format = { type: 'json_schema', schema: JSON.stringify(schema), at: '' } as const
  const messages = [{ role: 'user', content: 'Write an example.' } as const]
  const prompt = await engine.prepare(messages, never, { format })
  const request = requestFor(prompt, { maxTokens, temperature: 1, seed: maxTokens })
  return await collect(engine.generate({ ...request, format, completesFormat }, never))
}
