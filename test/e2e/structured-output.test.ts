import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validator } from '../support/schemas/schema-check.ts'
import { question, startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    environment: { PIPIT_ENGINE: 'embedded', PIPIT_SLOTS: '8', PIPIT_CONTEXT_TOKENS: '1024' },
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
  const { finish_reason: reason } = await complete(person, { max_tokens: 3 })
  expect(reason).toBe('length')
})

test('hostile schemas are refused, and the engine keeps running', async () => {
  const hostile = [
    { $ref: '#' },
    { enum: Array.from({ length: 1e5 }, (_, index) => index) },
    { type: 'string', pattern: '(a|b)*a(a|b){18}' },
    { const: 'x'.repeat(1_000_000) },
    { type: 'string', pattern: '^(a+)+$', maxLength: 8000 },
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

  test('that tool_choice names, and none with tool_choice none', async () => {
    const named = { type: 'function', function: { name: 'look_up' } }
    const { message } = await ask({ tool_choice: named, parallel_tool_calls: false })
    expect(message.tool_calls?.map((call) => call.function.name)).toEqual(['look_up'])
    const { message: text } = await ask({ tool_choice: 'none' })
    expect([text.tool_calls, typeof text.content]).toEqual([undefined, 'string'])
    expect(['stop', 'length', 'tool_calls']).toContain((await ask({})).finish_reason)
  })
})
