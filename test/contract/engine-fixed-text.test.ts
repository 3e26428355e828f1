import { expect, test } from 'vitest'
import { bundledModelPath } from '../../src/paths.ts'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { collect, never, requestFor, startEngine } from '../support/engine/engine-fixtures.ts'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    email_address: { type: 'string' },
    age_in_years: { type: 'integer' },
    is_customer: { type: 'boolean' },
  },
  required: ['name', 'email_address', 'age_in_years', 'is_customer'],
  additionalProperties: false,
}
const format = { type: 'json_schema', schema: JSON.stringify(schema), at: '' } as const
const people = ['Anna Smith is 34, anna@example.com.', 'Bob Jones, 51 years, bob@example.org.']

test('names that a schema fixes take few steps of their own, and no reply changes', async () => {
  const plain = await startEngine({ modelPath: bundledModelPath, speculativeTokens: 0 })
  const speculating = await startEngine({ modelPath: bundledModelPath })
  try {
    const expected = await recordsOf(plain)
    expect(await recordsOf(speculating)).toEqual(expected)
    // Prompt lookup alone proposes less than a tenth of these tokens. A busy machine speculates less often.
    const tokens = expected.reduce((sum, reply) => sum + reply.tokens, 0)
    expect(speculating.stats().speculativeTokens).toBeGreaterThan(tokens / 8)
  } finally {
    await plain.close()
    await speculating.close()
  }
})

async function recordsOf(engine: EmbeddedEngine) {
  const replies: { text: string; tokens: number }[] = []
  for (const person of people) {
    const messages = [{ role: 'user', content: `Make a JSON record of: ${person}` }] as const
    const prompt = await engine.prepare(messages, never, { format })
    for (const temperature of [0, 1]) {
      const request = requestFor(prompt, { maxTokens: 200, temperature, format })
      const { text, tokens } = await collect(engine.generate(request, never))
      replies.push({ text, tokens })
    }
  }
  return replies
}
