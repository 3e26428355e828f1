import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validator } from '../support/schemas/schema-check.ts'
import { question, startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    environment: { PIPIT_ENGINE: 'embedded', PIPIT_SLOTS: '12', PIPIT_CONTEXT_TOKENS: '1024' },
  })
})
afterAll(() => service.close())

type Completion = { choices: { message: { content: string }; finish_reason: string }[] }

const person = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 24 },
    age: { type: 'integer', minimum: 0, maximum: 130 },
    born: { type: 'string', format: 'date' },
    mail: { anyOf: [{ type: 'null' }, { type: 'string', format: 'email' }] },
    tags: { type: 'array', items: { enum: ['new', 'old', 'très cher'] }, maxItems: 3 },
    friend: { $ref: '#' },
  },
  required: ['name', 'age'],
  additionalProperties: false,
}
const schemas: [name: string, schema: unknown][] = [
  ['a record', person],
  ['a label', { enum: ['positive', 'negative', 'neutral'] }],
  ['a pattern beyond ASCII', { type: 'string', pattern: '^[ぁ-ん]{2,4}[😀-😃]$' }],
  ['a list of numbers', { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 4 }],
  [
    'one of two kinds',
    {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'a' }, n: { type: 'integer' } },
          required: ['kind'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'b' }, t: { type: 'string', format: 'time' } },
          required: ['kind', 't'],
        },
      ],
    },
  ],
]

async function complete(schema: unknown, more: object = {}) {
  const response_format = { type: 'json_schema', json_schema: { name: 'reply', schema } }
  const response = await service.post({ ...question, max_tokens: 300, ...more, response_format })
  expect(response.status).toBe(200)
  return ((await response.json()) as Completion).choices[0]!
}

test('a reply that max_tokens ends is still valid, unless complete_json is false', async () => {
  const isValid = validator(person)
  // A name may have any length, so the model alone would not end it within max_tokens.
  for (const seed of [1, 2, 3]) {
    const fitted = await complete(person, { max_tokens: 20, temperature: 1, seed })
    expect(isValid(fitted.message.content)).toBe(true)
  }
  const long = { type: 'string', minLength: 1000 }
  const cut = await complete(long, { max_tokens: 20, complete_json: false })
  expect(cut.finish_reason).toBe('length')
  expect(() => JSON.parse(cut.message.content)).toThrow(SyntaxError)
  const list = { type: 'array', items: { type: 'integer' }, maxItems: 1000, minItems: 8 }
  const closed = await complete(list, { max_tokens: 30, temperature: 1 })
  expect(validator(list)(closed.message.content)).toBe(true)
})

describe('the bundled model follows a schema', () => {
  test.each(schemas)('%s', async (_name, schema) => {
    const isValid = validator(schema)
    const samplings = [
      { temperature: 0 },
      { temperature: 0.7, top_p: 0.9 },
      { temperature: 1, top_k: 5 },
      ...Array.from({ length: 9 }, () => ({ temperature: 1 })),
    ]
    const choices = await Promise.all(
      samplings.map((sampling, seed) => complete(schema, { ...sampling, seed })),
    )
    const whole = choices.filter(({ finish_reason: reason }) => reason === 'stop')
    expect(whole.length).toBeGreaterThan(0)
    for (const { message } of whole)
      expect([message.content, isValid(message.content)]).toEqual([message.content, true])
  })
})

test('json_object gives a JSON object, or the finish reason length', async () => {
  for (const seed of [1, 2, 3, 4]) {
    const response = await service.post({
      ...question,
      temperature: 1,
      seed,
      response_format: { type: 'json_object' },
    })
    const { message, finish_reason: reason } = ((await response.json()) as Completion).choices[0]!
    expect(message.content).toMatch(/^\{/)
    if (reason === 'stop') expect(JSON.parse(message.content)).toBeTypeOf('object')
    else expect(reason).toBe('length')
  }
})

test('a reply with a schema is the same beside other requests and as a stream', async () => {
  const alone: string[] = []
  for (const seed of [1, 2, 3]) {
    alone.push((await complete(person, { temperature: 1, seed })).message.content)
  }
  const neighbours = [4, 5, 6].map((seed) => service.post({ ...question, temperature: 1, seed }))
  const together = await Promise.all(
    [1, 2, 3].map((seed) => complete(person, { temperature: 1, seed })),
  )
  expect(together.map(({ message }) => message.content)).toEqual(alone)
  const stream = await service.stream({
    ...question,
    max_tokens: 300,
    temperature: 1,
    seed: 1,
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema: person } },
  })
  expect(stream.text).toBe(alone[0])
  await Promise.all(neighbours)
})

test('a truncated reply has the finish reason length', async () => {
  const cut = { max_tokens: 3, complete_json: false }
  const { finish_reason: reason } = await complete(person, cut)
  expect(reason).toBe('length')
})

describe('a max_tokens that cannot hold the shortest reply is refused with the number that can', () => {
  const response_format = { type: 'json_schema', json_schema: { name: 'reply', schema: person } }
  const add = { name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' } } } }
  const tools = [{ type: 'function', function: add }]
  const forms: [name: string, body: object][] = [
    ['a schema', { response_format }],
    ['several choices', { response_format, n: 2 }],
    ['a stream', { response_format, stream: true }],
    ['a required call', { tools, tool_choice: 'required' }],
  ]

  test.each(forms)('%s', async (_name, form) => {
    const send = (more: object) => service.post({ ...question, ...form, temperature: 1, ...more })
    const refused = await send({ max_tokens: 2 })
    expect(refused.status).toBe(400)
    const { error } = (await refused.json()) as { error: Record<string, string> }
    expect(error).toMatchObject({ code: 'integer_below_min_value', param: 'max_tokens' })
    const enough = Number(/at least (\d+) tokens/.exec(error['message'] ?? '')?.[1])
    expect(enough).toBeGreaterThan(2)
    const requestId = refused.headers.get('x-request-id')
    const receipt = await service.request(`/v1/requests/${requestId}`)
    expect(await receipt.json()).toMatchObject({
      status: 'refused',
      usage: { prompt_tokens: 0, completion_tokens: 0 },
      error: { code: 'integer_below_min_value' },
    })
    for (const seed of [1, 2, 3]) {
      const whole = await send({ max_tokens: enough, seed, stream: false })
      const { choices } = (await whole.json()) as { choices: WholeChoice[] }
      for (const { message } of choices) {
        const text = message.content ?? message.tool_calls?.[0]?.function.arguments ?? ''
        expect(() => JSON.parse(text)).not.toThrow()
      }
    }
    expect((await send({ max_tokens: 2, complete_json: false })).status).toBe(200)
  })

  test('but not where the reply may be a text, or words may be long', async () => {
    expect((await service.post({ ...question, tools, max_tokens: 1 })).status).toBe(200)
    const schema = { type: 'string', minLength: 100 }
    for (const seed of [1, 2, 3]) {
      const { message, finish_reason: reason } = await complete(schema, { max_tokens: 60, seed })
      const isWhole = /^".*"$/s.test(message.content)
      expect([reason, message.content]).toEqual([isWhole ? 'stop' : 'length', message.content])
    }
  })

  type WholeChoice = {
    message: { content: string | null; tool_calls?: { function: { arguments: string } }[] }
  }
})

test('hostile schemas are refused, and the engine keeps running', async () => {
  const hostile = [
    { $ref: '#' },
    { enum: Array.from({ length: 4e4 }, (_, index) => index) },
    { type: 'string', pattern: '(a|b)*a(a|b){18}' },
    { const: 'x'.repeat(1_000_000) },
    { type: 'string', pattern: '^(ab|cd)+$', minLength: 4000 },
  ]
  for (const schema of hostile) {
    const response = await service.post({
      ...question,
      response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toHaveProperty('error.code', 'unsupported_value')
  }
  expect(
    (await complete({ type: 'string', pattern: '^(a+)+$', maxLength: 9 })).message.content,
  ).toMatch(/^"a+"$/)
})

describe('the bundled model calls tools', () => {
  const tools = [
    {
      type: 'function',
      function: {
        name: 'save_person',
        parameters: { ...person, properties: { ...person.properties, friend: undefined } },
      },
    },
    {
      type: 'function',
      function: {
        name: 'look_up',
        parameters: {
          type: 'object',
          properties: { id: { type: 'string', format: 'uuid' } },
          required: ['id'],
        },
      },
    },
  ]
  const ask = async (more: object) => {
    const response = await service.post({ ...question, tools, max_tokens: 400, ...more })
    expect(response.status).toBe(200)
    return ((await response.json()) as { choices: ToolChoice[] }).choices[0]!
  }
  type ToolChoice = {
    message: {
      content: string | null
      tool_calls?: { function: { name: string; arguments: string } }[]
    }
    finish_reason: string
  }

  test('that tool_choice requires, with arguments that satisfy their schemas', async () => {
    const valid = new Map(
      tools.map(({ function: { name, parameters } }) => [
        name,
        validator(JSON.parse(JSON.stringify(parameters))),
      ]),
    )
    const choices = await Promise.all(
      Array.from({ length: 12 }, (_, seed) =>
        ask({ tool_choice: 'required', parallel_tool_calls: seed % 2 === 0, temperature: 1, seed }),
      ),
    )
    const called = choices.filter(({ finish_reason: reason }) => reason === 'tool_calls')
    expect(called.length).toBeGreaterThan(0)
    for (const { message } of called) {
      expect(message.content).toBeNull()
      for (const {
        function: { name, arguments: text },
      } of message.tool_calls ?? []) {
        expect([text, valid.get(name)?.(text)]).toEqual([text, true])
      }
    }
  })

  test('or answers with a final object, if the reply has a format too', async () => {
    const final = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] }
    const format = { type: 'json_schema', json_schema: { name: 'sum', schema: final } }
    const isFinal = validator(final)
    const choices = await Promise.all(
      Array.from({ length: 12 }, (_, seed) =>
        ask({ response_format: format, temperature: 1, seed }),
      ),
    )
    for (const { message, finish_reason: reason } of choices) {
      if (reason === 'length') continue
      const called = (message.tool_calls ?? []).length > 0
      expect(reason).toBe(called ? 'tool_calls' : 'stop')
      expect(called ? message.content : isFinal(message.content ?? '')).toBe(called ? null : true)
    }
    const required = await ask({ response_format: format, tool_choice: 'required' })
    expect(required.message.content).toBeNull()
    const none = await ask({ response_format: format, tool_choice: 'none' })
    expect(isFinal(none.message.content ?? '')).toBe(true)
  })

  test('that the AI SDK runs before it asks for an object, in one conversation', async () => {
    const weather = tool({
      description: 'The weather of today.',
      inputSchema: jsonSchema({ type: 'object', properties: {}, additionalProperties: false }),
      execute: async () => 'rain, 12 degrees',
    })
    const schema = jsonSchema<{ degrees: number }>({
      type: 'object',
      properties: { degrees: { type: 'integer', minimum: 0, maximum: 40 } },
      required: ['degrees'],
      additionalProperties: false,
    })
    const options = {
      model: createOpenAICompatible({
        name: 'pipit',
        baseURL: `${service.url}/v1`,
        apiKey: service.key,
        supportsStructuredOutputs: true,
      })('svc-o1-mini'),
      prompt: 'How warm is it today?',
      temperature: 0,
      maxRetries: 0,
      tools: { weather },
      output: Output.object({ schema }),
      stopWhen: stepCountIs(3),
      // A small model may call the tool again instead of answering; the third step must answer.
      prepareStep: ({ stepNumber }: { stepNumber: number }) => ({
        toolChoice: (['required', 'auto', 'none'] as const)[stepNumber] ?? 'none',
      }),
    }
    const { output, steps } = await generateText(options)
    expect(steps[0]?.finishReason).toBe('tool-calls')
    expect(steps.at(-1)?.finishReason).toBe('stop')
    expect(output).toEqual({ degrees: expect.any(Number) })
    expect(await streamText(options).output).toEqual(output)
  })

  test('that tool_choice names, and none with tool_choice none', async () => {
    const named = { type: 'function', function: { name: 'look_up' } }
    const { message } = await ask({ tool_choice: named, parallel_tool_calls: false })
    expect(message.tool_calls?.map((call) => call.function.name)).toEqual(['look_up'])
    const { message: text } = await ask({ tool_choice: 'none' })
    expect([text.tool_calls, typeof text.content]).toEqual([undefined, 'string'])
    const { message: chosen, finish_reason: reason } = await ask({})
    expect(reason === 'tool_calls').toBe(chosen.tool_calls !== undefined)
    expect(chosen.content ?? chosen.tool_calls).toBeDefined()
    // A text may come before calls. Without one, the content is null.
    expect([chosen.tool_calls !== undefined, chosen.content]).not.toEqual([true, ''])
  })
})
