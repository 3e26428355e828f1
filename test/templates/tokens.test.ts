import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { never, startEngine, temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { combinations, modelOf, nameOf, tokenConversations, tokenDigest } from './combinations.ts'

/** Digests of llama-server's tokens, written by `bench/peers/prompt-tokens.ts`. */
const expected: Record<string, readonly string[]> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'expected-tokens.json'), 'utf8'),
)
const folder = temporaryFolder()
afterAll(() => folder.remove())

describe("the tokens of prompts equal llama-server's", () => {
  test.each(combinations.map((combination) => ({ name: nameOf(combination), combination })))(
    '$name',
    async ({ name, combination }) => {
      const modelPath = join(folder.path, 'combined.gguf')
      writeFileSync(modelPath, modelOf(combination))
      const engine = await startEngine({ modelPath })
      try {
        const digests = []
        for (const { messages } of tokenConversations)
          digests.push(tokenDigest((await engine.prepare(messages, never)).tokens))
        expect(digests).toEqual(expected[name])
      } finally {
        await engine.close()
      }
    },
  )
})
