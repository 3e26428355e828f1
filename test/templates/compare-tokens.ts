import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { never, startEngine } from '../support/engine/engine-fixtures.ts'
import { templateSource } from '../support/models/release-files.ts'
import {
  type Combination,
  comparedConversations,
  modelOf,
  nameOf,
  tokenDigests,
} from './combinations.ts'

/** Digests of llama-server's tokens, by combination and conversation, written by `bench/peers/prompt-tokens.ts`. */
const expected: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'expected-tokens.json'), 'utf8'),
)

/** Expects our tokens to equal llama-server's, in all conversations whose prompt text should be equal. */
export async function compareTokens(folder: string, combination: Combination): Promise<void> {
  const modelPath = join(folder, 'combined.gguf')
  const chatTemplatePath = join(folder, 'template.jinja')
  writeFileSync(modelPath, modelOf(combination))
  writeFileSync(chatTemplatePath, templateSource(combination.template))
  const engine = await startEngine({ modelPath, chatTemplatePath, slots: 1 })
  try {
    const digest = tokenDigests(combination)
    const digests: Record<string, string> = {}
    const compared = comparedConversations(combination.template)
    for (const { name, messages, tools } of compared) {
      const format =
        tools.length === 0
          ? undefined
          : ({ type: 'tools', tools, choice: 'auto', areParallel: true } as const)
      digests[name] = digest((await engine.prepare(messages, never, { format })).tokens)
    }
    expect(digests).toEqual(expected[nameOf(combination)])
  } finally {
    await engine.close()
  }
}
