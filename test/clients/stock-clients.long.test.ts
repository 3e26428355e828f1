import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'

// The clients have their own package.json and are loaded when a test runs, so that other tests do not need them.
const installed = existsSync(join(import.meta.dirname, 'node_modules'))
const model = 'svc-o1-mini'
const question = 'Tell me about pipits.'
const messages = [{ role: 'user' as const, content: question }]

let service: TestService
let plain: string
beforeAll(async () => {
  service = await startTestService()
  const reply = await service.post({ model, messages, temperature: 0 })
  const { choices } = (await reply.json()) as { choices: [{ message: { content: string } }] }
  plain = choices[0].message.content
})
afterAll(() => service.close())

describe('stock clients', () => {
  beforeEach(({ skip }) =>
    skip(!installed, 'the clients are not installed: npm ci --prefix test/clients'),
  )

  test('openai 6 gets a completion, a stream with usage, and the error class of a failure', async () => {
    const { default: OpenAI } = await load('openai')
    const options = { baseURL: `${service.url}/v1`, apiKey: service.key, maxRetries: 0 }
    const openai = new OpenAI(options)
    const completion = await openai.chat.completions.create({ model, messages, temperature: 0 })
    expect(completion.choices[0].message.content).toBe(plain)
    const stream = await openai.chat.completions.create({
      model,
      messages,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await collect(stream)
    expect(textOf(chunks, (chunk) => chunk.choices[0]?.delta.content)).toBe(plain)
    expect(chunks.at(-1).usage).toEqual(completion.usage)
    await expect(
      new OpenAI({ ...options, apiKey: 'wrong' }).chat.completions.create({ model, messages }),
    ).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
  })

  test('LangChain runs invoke, stream and batch', async () => {
    const { ChatOpenAI } = await load('@langchain/openai')
    const chat = new ChatOpenAI({
      model,
      temperature: 0,
      apiKey: service.key,
      maxRetries: 0,
      configuration: { baseURL: `${service.url}/v1` },
    })
    const reply = await chat.invoke([
      ['system', 'You are an ornithologist.'],
      ['human', question],
    ])
    expect(reply.content).toMatch(/\S/)
    expect(reply.usage_metadata.output_tokens).toBeGreaterThan(0)
    const chunks = await collect(await chat.stream(question))
    expect(textOf(chunks, (chunk) => chunk.content)).toBe(plain)
    const batch = await chat.batch([question, question, question])
    expect(batch.map(({ content }: { content: string }) => content)).toEqual([plain, plain, plain])
  })

  test('LlamaIndex chats, streamed and not streamed', async () => {
    const { OpenAI } = await load('@llamaindex/openai')
    const llm = new OpenAI({
      model,
      temperature: 0,
      maxTokens: 256,
      apiKey: service.key,
      baseURL: `${service.url}/v1`,
      maxRetries: 0,
    })
    const { message } = await llm.chat({ messages })
    expect(message.content).toBe(plain)
    const parts = [{ role: 'user', content: [{ type: 'text', text: question }] }]
    const chunks = await collect(await llm.chat({ messages: parts, stream: true }))
    expect(textOf(chunks, (chunk) => chunk.delta)).toBe(plain)
  })

  test('LangChain gets an object with withStructuredOutput', async () => {
    const { ChatOpenAI } = await load('@langchain/openai')
    const review = await reviewSchema()
    const chat = new ChatOpenAI({
      model,
      apiKey: service.key,
      maxRetries: 0,
      configuration: { baseURL: `${service.url}/v1` },
    }).withStructuredOutput(review, { name: 'review', method: 'jsonSchema' })
    review.parse(await chat.invoke('A warm film.'))
  })

  test('LangChain calls tools with bindTools, streamed and not streamed', async () => {
    const { ChatOpenAI } = await load('@langchain/openai')
    const { tool } = await load('@langchain/core/tools')
    const review = await reviewSchema()
    const save = tool(async () => 'saved', { name: 'save', description: 'Saves.', schema: review })
    const chat = new ChatOpenAI({
      model,
      apiKey: service.key,
      maxRetries: 0,
      configuration: { baseURL: `${service.url}/v1` },
    }).bindTools([save], { tool_choice: 'save' })
    const { tool_calls: calls } = await chat.invoke('A warm film.')
    expect(calls[0].name).toBe('save')
    review.parse(calls[0].args)
    const [first, ...rest] = await collect(await chat.stream('A warm film.'))
    const whole = rest.reduce((sum, chunk) => sum.concat(chunk), first)
    review.parse(whole.tool_calls[0].args)
  })

  test.each(['TOOLS', 'JSON_SCHEMA'])('Instructor gets an object in its mode %s', async (mode) => {
    const [{ default: OpenAI }, { default: Instructor }] = await Promise.all([
      load('openai'),
      load('@instructor-ai/instructor'),
    ])
    // Instructor reads schemas of zod 3 only.
    const review = await reviewSchema('zod/v3')
    const client = new OpenAI({
      baseURL: `${service.url}/v1`,
      apiKey: service.key,
      maxRetries: 0,
    })
    const instructor = Instructor({ client, mode })
    const found = await instructor.chat.completions.create({
      model,
      messages,
      response_model: { schema: review, name: 'review' },
    })
    review.parse(found)
  })
})

test('openai for Python gets a completion, a stream with usage, choices and errors', async ({
  skip,
}) => {
  const python = process.env['PYTHON'] ?? 'python3'
  const run = promisify(execFile)
  await run(python, ['-c', 'import openai']).catch(() =>
    skip(`${python} has no package openai: pip install openai, or set PYTHON`),
  )
  const env = { PATH: process.env['PATH'], PIPIT_URL: service.url, PIPIT_API_KEY: service.key }
  const { stdout } = await run(python, [join(import.meta.dirname, 'openai-python.py')], { env })
  expect(stdout).toBe('ok\n')
})

async function reviewSchema(library = 'zod') {
  const { z } = await load(library)
  return z.object({
    label: z.enum(['positive', 'negative']),
    score: z.number().int().min(1).max(5),
  })
}

/** A client without types, since the clients may not be installed. */
// oxlint-disable-next-line typescript/no-explicit-any
function load(name: string): Promise<any> {
  return import(name)
}

// oxlint-disable-next-line typescript/no-explicit-any
async function collect(stream: AsyncIterable<any>): Promise<any[]> {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

function textOf<T>(chunks: T[], text: (chunk: T) => string | undefined): string {
  return chunks.map((chunk) => text(chunk) ?? '').join('')
}
