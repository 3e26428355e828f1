import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, streamText } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { detectDialect } from '../../src/engine/dialect/detect-dialect.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

const model = 'svc-o1-mini'
const prompt = 'What is two and two?'
const thought = 'Two and two.\nFour.'
const answer = 'It is 4.'
let service: TestService
beforeAll(async () => {
  const engine = scriptedEngine({
    dialect: detectDialect("{{ message.content.split('</think>') }}"),
    reply: () => `<think>\n${thought}\n</think>\n\n${answer}`,
  })
  service = await startTestService({ engine })
})
afterAll(() => service.close())

const provider = () =>
  createOpenAICompatible({
    name: 'pipit',
    baseURL: `${service.url}/v1`,
    apiKey: service.key,
    includeUsage: true,
  })

test('the AI SDK has the thought once and apart from the text, whole and streamed', async () => {
  const whole = await generateText({ model: provider()(model), prompt })
  expect([whole.reasoningText, whole.text]).toEqual([thought, answer])
  const stream = streamText({ model: provider()(model), prompt })
  expect([await stream.reasoningText, await stream.text]).toEqual([thought, answer])
  expect((await stream.usage).outputTokenDetails.reasoningTokens).toBe(6)
})

test('the openai client passes the thought on, and its stream helper joins it', async () => {
  const client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: prompt }]
  const whole = await client.chat.completions.create({ model, messages })
  expect(whole.choices[0]?.message).toMatchObject({
    content: answer,
    reasoning_content: thought,
    reasoning: thought,
  })
  expect(whole.usage?.completion_tokens_details?.reasoning_tokens).toBe(6)
  const streamed = await client.chat.completions.stream({ model, messages }).finalChatCompletion()
  expect(streamed.choices[0]?.message.content).toBe(answer)
})
