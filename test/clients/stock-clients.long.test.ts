import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { detectDialect } from '../../src/engine/dialect/detect-dialect.ts'
import { packageRoot } from '../../src/paths.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

// The clients have their own package.json and are loaded when a test runs, so that other tests do not need them.
const installed = existsSync(join(import.meta.dirname, 'node_modules'))
const notInstalled = 'the clients are not installed: npm ci --prefix test/clients'
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
  beforeEach(({ skip }) => skip(!installed, notInstalled))

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

  test('examples/langchain.mjs prints a streamed reply', async () => {
    // Runs a copy in this folder, because LangChain is installed here.
    const copy = join(import.meta.dirname, 'node_modules/langchain-example.mjs')
    copyFileSync(join(packageRoot, 'examples/langchain.mjs'), copy)
    onTestFinished(() => rmSync(copy))
    const env = { PIPIT_BASE_URL: service.url, PIPIT_API_KEY: service.key }
    const { stdout } = await promisify(execFile)(process.execPath, [copy, 'a picnic'], { env })
    expect(stdout).toMatch(/^\S[^]*\n$/)
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

  test('LangChain reads the thoughts of a model, streamed and not streamed', async () => {
    const { ChatOpenAI } = await load('@langchain/openai')
    const template =
      '{% if enable_thinking is defined %}{% endif %}{{ messages[0].content.split("</think>") }}'
    const engine = scriptedEngine({
      dialect: detectDialect(template),
      reply: () => '<think>\nTwo and two make four.\n</think>\n\nIt is 4.',
    })
    const thinking = await startTestService({ engine })
    const chat = new ChatOpenAI({
      model,
      apiKey: thinking.key,
      maxRetries: 0,
      configuration: { baseURL: `${thinking.url}/v1` },
    })
    const whole = await chat.invoke('What is 2 plus 2?')
    const [first, ...rest] = await collect(await chat.stream('What is 2 plus 2?'))
    const streamed = rest.reduce((sum, chunk) => sum.concat(chunk), first)
    for (const { content, additional_kwargs: kept, usage_metadata: usage } of [whole, streamed]) {
      expect([content, kept.reasoning_content]).toEqual(['It is 4.', 'Two and two make four.'])
      expect(usage.output_token_details.reasoning).toBeGreaterThan(0)
    }
    await thinking.close()
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
  expect(await runPython('openai', service, skip)).toBe('ok\n')
})

describe('agents that call a tool of the bundled model and then give an object', () => {
  let embedded: TestService
  beforeAll(async () => {
    embedded = await startTestService({ environment: { PIPIT_ENGINE: 'embedded' } })
  })
  afterAll(() => embedded.close())

  test.for(['whole', 'streamed'])("OpenAI's Agents SDK, %s", async (form, { skip }) => {
    skip(!installed, notInstalled)
    const { Agent, OpenAIProvider, Runner, tool } = await load('@openai/agents')
    const { z } = await load('zod')
    const cities: string[] = []
    const weather = tool({
      name: 'weather',
      description: 'Tells the weather of a city.',
      parameters: z.object({ city: z.string() }),
      // A small model may call the tool for ever.
      isEnabled: () => cities.length === 0,
      execute: async ({ city }: { city: string }) => {
        cities.push(city)
        return 'rain, 12 degrees'
      },
    })
    const agent = new Agent({
      name: 'Forecaster',
      instructions: 'Answer briefly.',
      model,
      tools: [weather],
      outputType: z.object({ degrees: z.number().int().min(-40).max(50) }),
      modelSettings: {
        temperature: 0,
        maxTokens: 200,
        toolChoice: 'required',
        // Asked for several calls at once, a small model repeats the first one.
        parallelToolCalls: false,
      },
    })
    const runner = new Runner({
      modelProvider: new OpenAIProvider({
        apiKey: embedded.key,
        baseURL: `${embedded.url}/v1`,
        useResponses: false,
      }),
      tracingDisabled: true,
    })
    const options = { maxTurns: 4, stream: form === 'streamed' }
    const result = await runner.run(agent, 'How warm is it in Bern?', options)
    if (options.stream) await collect(result)
    expect(cities).toEqual([expect.any(String)])
    expect(result.finalOutput).toEqual({ degrees: expect.any(Number) })
    expect(result.newItems.map(({ type }: { type: string }) => type)).toEqual([
      'tool_call_item',
      'tool_call_output_item',
      'message_output_item',
    ])
  })

  test.for(['whole', 'streamed'])('LangChain with providerStrategy, %s', async (form, { skip }) => {
    skip(!installed, notInstalled)
    const [{ createAgent, createMiddleware, providerStrategy, tool }, { ChatOpenAI }, { z }] =
      await Promise.all([load('langchain'), load('@langchain/openai'), load('zod')])
    const cities: string[] = []
    const weather = tool(
      ({ city }: { city: string }) => {
        cities.push(city)
        return 'rain, 12 degrees'
      },
      {
        name: 'weather',
        description: 'Tells the weather.',
        schema: z.object({ city: z.string() }),
      },
    )
    // A small model may not call the tool by itself, so the first call is forced. Then it may call again or answer.
    const callFirst = createMiddleware({
      name: 'CallFirst',
      wrapModelCall: (request: object, handler: (request: object) => unknown) =>
        handler({ ...request, toolChoice: cities.length === 0 ? 'required' : 'auto' }),
    })
    const agent = createAgent({
      model: new ChatOpenAI({
        model,
        temperature: 0,
        maxTokens: 200,
        apiKey: embedded.key,
        maxRetries: 0,
        modelKwargs: { parallel_tool_calls: false },
        configuration: { baseURL: `${embedded.url}/v1` },
      }),
      systemPrompt: 'Answer briefly.',
      tools: [weather],
      middleware: [callFirst],
      responseFormat: providerStrategy(z.object({ degrees: z.number().int().min(-40).max(50) })),
    })
    const input = { messages: [{ role: 'user', content: 'How warm is it in Bern?' }] }
    const [result, parts] =
      form === 'whole' ? [await agent.invoke(input), undefined] : await streamAgent(agent, input)
    expect(cities).toEqual([expect.any(String)])
    expect(result.structuredResponse).toEqual({ degrees: expect.any(Number) })
    const types = result.messages.map(({ type }: { type: string }) => type)
    expect(types).toEqual(['human', 'ai', 'tool', 'ai'])
    if (parts !== undefined) expect(parts).toBeGreaterThan(types.length)
  })

  test('Pydantic AI, in its modes of native and of tool output', async ({ skip }) => {
    expect(await runPython('pydantic_ai', embedded, skip)).toBe('ok\n')
  })
})

/** Returns the last state of a LangChain agent, and the number of message chunks in its stream. */
// oxlint-disable-next-line typescript/no-explicit-any
async function streamAgent(agent: any, input: object): Promise<[any, number]> {
  const events = await collect(await agent.stream(input, { streamMode: ['messages', 'values'] }))
  const of = (mode: string) => events.filter(([name]) => name === mode)
  return [of('values').at(-1)[1], of('messages').length]
}

/** Runs the test script for a Python package; skips the test if the package is not installed. */
async function runPython(
  name: 'openai' | 'pydantic_ai',
  { url, key }: TestService,
  skip: (note: string) => void,
): Promise<string> {
  const python = process.env['PYTHON'] ?? 'python3'
  const run = promisify(execFile)
  const scripts = { openai: 'openai-python.py', pydantic_ai: 'pydantic-ai.py' }
  const packages = { openai: 'openai', pydantic_ai: 'pydantic-ai-slim[openai]' }
  const { PATH, PYTHONPATH } = process.env
  await run(python, ['-c', `import ${name}`]).catch(() =>
    skip(`${python} has no ${name}: pip install ${packages[name]}, or set PYTHON`),
  )
  const env = { PATH, PYTHONPATH, PIPIT_BASE_URL: url, PIPIT_API_KEY: key }
  const { stdout } = await run(python, [join(import.meta.dirname, scripts[name])], { env })
  return stdout
}

async function reviewSchema(library = 'zod') {
  const { z } = await load(library)
  return z.object({
    label: z.enum(['positive', 'negative']),
    score: z.number().int().min(1).max(5),
  })
}

/** Imports a client without its types, because it may not be installed. */
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
