import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, streamText } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { detectDialect } from '../../src/engine/dialect/detect-dialect.ts'
import type { ChatMessage } from '../../src/engine/engine.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

const model = 'svc-o1-mini'
const messages = [{ role: 'user' as const, content: 'What is 2 plus 2?' }]
const thought = 'Two and two make four.'
const template =
  '{% if enable_thinking is defined %}{% endif %}{{ messages[0].content.split("</think>") }}'

let service: TestService
let seen: readonly ChatMessage[] = []
beforeAll(async () => {
  const reply = (conversation: readonly ChatMessage[]) => {
    seen = conversation
    return `<think>\n${thought}\n</think>\n\nIt is 4.`
  }
  const engine = scriptedEngine({ dialect: detectDialect(template), reply })
  service = await startTestService({ engine })
})
afterAll(() => service.close())

describe('stock clients read the thoughts of a model', () => {
  test('openai, whole and streamed, with their tokens', async () => {
    const openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, maxRetries: 0 })
    const whole = await openai.chat.completions.create({ model, messages })
    expect(whole.choices[0]?.message).toMatchObject({
      content: 'It is 4.',
      reasoning_content: thought,
    })
    expect(whole.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0)
    const stream = openai.chat.completions.stream({
      model,
      messages,
      stream_options: { include_usage: true },
    })
    let streamed = ''
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta as { reasoning_content?: string } | undefined
      streamed += delta?.reasoning_content ?? ''
    }
    expect(streamed).toBe(thought)
    const final = await stream.finalChatCompletion()
    expect(final.choices[0]?.message.content).toBe('It is 4.')
    expect(final.usage).toEqual(whole.usage)
  })

  test('openai sends a whole message back as history', async () => {
    const openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, maxRetries: 0 })
    const { choices } = await openai.chat.completions.create({ model, messages })
    const again = [...messages, choices[0]!.message, { role: 'user' as const, content: 'Sure?' }]
    await openai.chat.completions.create({ model, messages: again })
    expect(seen[1]).toMatchObject({ role: 'assistant', content: 'It is 4.', reasoning: thought })
  })

  const options = () => ({
    model: createOpenAICompatible({
      name: 'pipit',
      baseURL: `${service.url}/v1`,
      apiKey: service.key,
      includeUsage: true,
    })(model),
    messages,
    maxRetries: 0,
  })

  test('the AI SDK, whole', async () => {
    const { text, reasoningText, usage } = await generateText(options())
    expect([text, reasoningText]).toEqual(['It is 4.', thought])
    expect(usage.outputTokenDetails.reasoningTokens).toBeGreaterThan(0)
  })

  test('the AI SDK, streamed', async () => {
    const { stream, usage } = streamText(options())
    const parts = { text: '', reasoning: '' }
    for await (const part of stream) {
      if (part.type === 'text-delta') parts.text += part.text
      if (part.type === 'reasoning-delta') parts.reasoning += part.text
    }
    expect(parts).toEqual({ text: 'It is 4.', reasoning: thought })
    expect((await usage).outputTokenDetails.reasoningTokens).toBeGreaterThan(0)
  })
})
