import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  generateObject,
  generateText,
  jsonSchema,
  Output,
  stepCountIs,
  streamObject,
  streamText,
  tool,
} from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scriptedEngine } from '../support/scripted-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

const model = 'svc-o1-mini'
const messages = [{ role: 'user' as const, content: 'Tell me about pipits.' }]
const engine = scriptedEngine({
  tokensPerSecond: 500,
})
let service: TestService
let openai: OpenAI
beforeAll(async () => {
  service = await startTestService({ engine })
  openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, maxRetries: 0 })
})
afterAll(() => service.close())

describe('the openai client', () => {
  test('gets a completion', async () => {
    const completion = await openai.chat.completions.create({ model, messages })
    expect(completion.choices[0]?.message.content).toMatch(/\S/)
    expect(completion.usage?.total_tokens).toBeGreaterThan(0)
    expect(completion._request_id).toMatch(/^req_/)
  })

  test('reads a stream with its usage', async () => {
    const stream = await openai.chat.completions.create({
      model,
      messages,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let usage: OpenAI.CompletionUsage | null | undefined
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      usage = chunk.usage ?? usage
    }
    const plain = await openai.chat.completions.create({ model, messages, temperature: 0 })
    expect(text).toBe(plain.choices[0]?.message.content)
    expect(usage?.completion_tokens).toBe(plain.usage?.completion_tokens)
  })

  test('assembles the final completion with its stream helper', async () => {
    const final = await openai.chat.completions.stream({ model, messages }).finalChatCompletion()
    expect(final.choices[0]?.message.content).toMatch(/\S/)
  })

  test('aborts a stream, which frees the slot', async () => {
    const stream = await openai.chat.completions.create({
      model,
      messages,
      max_tokens: 2048,
      stream: true,
    })
    for await (const _ of stream) break
    await expect.poll(() => engine.stats().slotsBusy).toBe(0)
  })

  test('gets answers to twenty requests at a time', async () => {
    const completions = await Promise.all(
      Array.from({ length: 20 }, () =>
        openai.chat.completions.create({ model, messages, max_tokens: 16 }),
      ),
    )
    expect(new Set(completions.map(({ id }) => id)).size).toBe(20)
  })

  test('throws the error class that belongs to each failure', async () => {
    const wrongKey = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: 'wrong', maxRetries: 0 })
    await expect(wrongKey.chat.completions.create({ model, messages })).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    )
    await expect(
      openai.chat.completions.create({ model: 'gpt-4', messages }),
    ).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    await expect(
      openai.chat.completions.create({ model, messages, temperature: 1.5 }),
    ).rejects.toBeInstanceOf(OpenAI.BadRequestError)
    await expect(
      openai.chat.completions.create({ model, messages, temperature: 1.5, stream: true }),
    ).rejects.toMatchObject({ status: 400, code: 'decimal_above_max_value', param: 'temperature' })
  })

  test('gets n choices, not streamed and with its stream helper', async () => {
    const asked = { model, messages, n: 3, temperature: 1, seed: 5 }
    const whole = await openai.chat.completions.create(asked)
    const texts = whole.choices.map(({ message }) => message.content)
    expect(new Set(texts).size).toBe(3)
    const final = await openai.chat.completions.stream(asked).finalChatCompletion()
    expect(final.choices.map(({ message }) => message.content)).toEqual(texts)
  })

  test('lists and retrieves the model', async () => {
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual([model])
    expect((await openai.models.retrieve(model)).id).toBe(model)
  })
})

describe('the AI SDK', () => {
  const provider = () =>
    createOpenAICompatible({ name: 'pipit', baseURL: `${service.url}/v1`, apiKey: service.key })

  test('generates a text', async () => {
    const { text, usage, finishReason } = await generateText({
      model: provider()(model),
      system: 'Be brief.',
      prompt: 'Tell me about pipits.',
      maxRetries: 0,
    })
    expect(text).toMatch(/\S/)
    expect(usage.outputTokens).toBeGreaterThan(0)
    expect(finishReason).toBe('stop')
  })

  test('streams a text', async () => {
    const { textStream, finishReason } = streamText({
      model: provider()(model),
      messages,
      maxRetries: 0,
    })
    let text = ''
    for await (const delta of textStream) text += delta
    expect(text).toMatch(/\S/)
    expect(await finishReason).toBe('stop')
  })

  const review = jsonSchema<{ label: string; score: number }>({
    type: 'object',
    properties: {
      label: { type: 'string', enum: ['positive', 'negative'] },
      score: { type: 'integer', minimum: 1, maximum: 5 },
    },
    required: ['label', 'score'],
    additionalProperties: false,
  })
  const isReview = {
    label: expect.stringMatching(/^(positive|negative)$/),
    score: expect.any(Number),
  }
  const structured = () =>
    createOpenAICompatible({
      name: 'pipit',
      baseURL: `${service.url}/v1`,
      apiKey: service.key,
      supportsStructuredOutputs: true,
    })(model)

  test('calls a tool and sends its result back, with generateText and streamText', async () => {
    const asked: unknown[] = []
    const options = () => ({
      model: provider()(model),
      prompt: 'What is the weather?',
      maxRetries: 0,
      tools: {
        weather: tool({
          description: 'The weather of a place.',
          inputSchema: jsonSchema<{ days: number }>({
            type: 'object',
            properties: { days: { type: 'integer', minimum: 1, maximum: 9 } },
            required: ['days'],
            additionalProperties: false,
          }),
          execute: async (input) => {
            asked.push(input)
            return 'rain'
          },
        }),
      },
      toolChoice: 'required' as const,
    })
    const isInput = { days: expect.any(Number) }
    const { toolCalls, toolResults, finishReason } = await generateText(options())
    expect([toolCalls[0]?.input, toolResults[0]?.output, finishReason]).toEqual([
      isInput,
      'rain',
      'tool-calls',
    ])
    const stream = streamText(options())
    expect((await stream.toolCalls)[0]?.input).toEqual(isInput)
    expect(await stream.finishReason).toBe('tool-calls')
    expect(asked).toEqual([isInput, isInput])
  })

  test('calls a tool, then generates an object that satisfies a schema, in one conversation', async () => {
    const weather = tool({
      inputSchema: jsonSchema({ type: 'object', properties: {}, additionalProperties: false }),
      execute: async () => 'rain',
    })
    const options = {
      model: structured(),
      prompt: 'What is the weather?',
      maxRetries: 0,
      tools: { weather },
      output: Output.object({ schema: review }),
      stopWhen: stepCountIs(2),
      // The scripted engine calls a tool only if it must.
      prepareStep: ({ stepNumber }: { stepNumber: number }) => ({
        toolChoice: stepNumber === 0 ? ('required' as const) : ('auto' as const),
      }),
    }
    const { output, steps } = await generateText(options)
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(output).toEqual(isReview)
    const stream = streamText(options)
    expect(await stream.output).toEqual(output)
  })

  test('generates an object that satisfies a schema', async () => {
    const { object, finishReason } = await generateObject({
      model: structured(),
      schema: review,
      prompt: 'A warm film.',
      maxRetries: 0,
    })
    expect([object, finishReason]).toEqual([isReview, 'stop'])
  })

  test('streams an object part by part', async () => {
    const { partialObjectStream, object } = streamObject({
      model: structured(),
      schema: review,
      prompt: 'A warm film.',
      maxRetries: 0,
    })
    let last: unknown
    for await (const part of partialObjectStream) last = part
    expect(last).toEqual(isReview)
    expect(await object).toEqual(isReview)
  })
})

describe('curl', () => {
  const curl = async (...args: string[]) =>
    (await promisify(execFile)('curl', ['-sS', ...args])).stdout
  const auth = () => [
    '-H',
    `Authorization: Bearer ${service.key}`,
    '-H',
    'Content-Type: application/json',
  ]

  test('gets a completion and a stream', async () => {
    const url = `${service.url}/v1/chat/completions`
    const body = { model, messages }
    expect(JSON.parse(await curl(url, ...auth(), '-d', JSON.stringify(body)))).toMatchObject({
      model,
    })
    const stream = await curl('-N', url, ...auth(), '-d', JSON.stringify({ ...body, stream: true }))
    expect(stream.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('sends a large body with Expect: 100-continue, and a chunked one', async () => {
    const url = `${service.url}/v1/chat`
    const file = join(mkdtempSync(join(tmpdir(), 'pipit-test-')), 'body.json')
    writeFileSync(file, JSON.stringify({ model, messages, filler: 'x'.repeat(200_000) }))
    const statusWith = (header: string) =>
      curl(url, ...auth(), '-H', header, '-d', `@${file}`, '-o', '/dev/null', '-w', '%{http_code}')
    expect(await statusWith('Expect: 100-continue')).toBe('200')
    expect(await statusWith('Transfer-Encoding: chunked')).toBe('200')
  })
})
