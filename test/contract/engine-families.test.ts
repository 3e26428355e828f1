import { afterAll, describe, expect, test } from 'vitest'
import type { ChatMessage, Engine } from '../../src/engine/engine.ts'
import {
  collect,
  never,
  requestFor,
  startEngine,
  temporaryFolder,
} from '../support/engine/engine-fixtures.ts'
import { compareWithPlainEngine } from '../support/engine/equality.ts'
import { familyModelIn, otherFamilies } from '../support/gguf/other-families.ts'

// Models with a sliding window and models with a recurrent state reuse prefixes by checkpoints.
const folder = temporaryFolder()
afterAll(() => folder.remove())

describe.each(otherFamilies)('%s', (family) => {
  const modelPath = familyModelIn(folder.path, family)

  test('replies equal those of a plain engine, and later turns reuse their prompt', async () => {
    const options = { modelPath, conversations: 16, slots: 6, threads: 1 }
    const seen = await compareWithPlainEngine(options)
    expect(seen).toMatchObject({ different: [], replies: 48 })
    // Each of 16 conversations has two later turns.
    expect(seen.laterTurnsFound).toBeGreaterThan(12)
  })

  test('a long system prompt is computed once, for each account', async () => {
    const engine = await startEngine({ modelPath, slots: 2 })
    const ask = async (question: string, cacheScope?: string) => {
      const prompt = await engine.prepare([longSystem, { role: 'user', content: question }], never)
      const request = requestFor(prompt, { maxTokens: 8, ...(cacheScope && { cacheScope }) })
      return await collect(engine.generate(request, never))
    }
    try {
      const cold = await ask('Does the bird sing in spring?')
      const warm = await ask('And the river?')
      const again = await ask('Does the bird sing in spring?')
      const other = await ask('Does the bird sing in spring?', 'another account')
      expect(cold.finish.cachedTokens).toBe(0)
      expect(warm.finish.cachedTokens).toBeGreaterThan(1000)
      expect(again.finish.cachedTokens).toBeGreaterThan(1000)
      expect(other.finish.cachedTokens).toBe(0)
      expect([again.text, other.text]).toEqual([cold.text, cold.text])
    } finally {
      await engine.close()
    }
  })

  test('a conversation that lost its slot continues from its copy', async () => {
    const plain = await startEngine({ modelPath, slots: 1, cachedTokens: 0 })
    const copying = await startEngine({ modelPath, slots: 1, cachedTokens: 20_000 })
    try {
      const cold = await alternate(plain)
      const warm = await alternate(copying)
      expect(warm.texts).toEqual(cold.texts)
      expect(cold.cachedTokens.slice(2)).toEqual([0, 0, 0, 0])
      expect(Math.min(...warm.cachedTokens.slice(2))).toBeGreaterThan(1000)
    } finally {
      await Promise.all([plain.close(), copying.close()])
    }
  })
})

const longSystem: ChatMessage = {
  role: 'system',
  content: 'Speak of the birds that sing in spring, and of the river. '.repeat(24),
}

/** Continues two long conversations alternately, so that each loses the only slot to the other. */
async function alternate(engine: Engine) {
  const texts: string[] = []
  const cachedTokens: number[] = []
  const conversations = ['one', 'two'].map((name): ChatMessage[] => [
    { role: 'user', content: `${name}: ${longSystem.content}` },
  ])
  for (let turn = 0; turn < 3; turn++)
    for (const [index, messages] of conversations.entries()) {
      const prompt = await engine.prepare(messages, never)
      const request = requestFor(prompt, { maxTokens: 40, cacheScope: `account ${index}` })
      const { text, finish } = await collect(engine.generate(request, never))
      texts.push(text)
      cachedTokens.push(finish.cachedTokens)
      // The second assistant message is not the model's reply, so the conversation branches off before it.
      messages.push({ role: 'assistant', content: turn === 0 ? text : 'Something else.' })
      messages.push({ role: 'user', content: 'Go on.' })
    }
  return { texts, cachedTokens }
}
