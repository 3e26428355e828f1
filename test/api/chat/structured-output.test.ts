import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { validator } from '../../support/schemas/schema-check.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const schema = {
  type: 'object',
  properties: {
    label: { type: 'string', enum: ['positive', 'negative'] },
    score: { type: 'number', minimum: 0, maximum: 1 },
    quotes: { type: 'array', items: { type: 'string', maxLength: 20 }, minItems: 2 },
  },
  required: ['label', 'score', 'quotes'],
  additionalProperties: false,
}
const body = {
  ...question,
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'review', description: 'A review.', strict: true, schema },
  },
}
type Completion = { choices: { message: { content: string }; finish_reason: string }[] }

test('a reply satisfies the schema, streamed or not, strict or not', async () => {
  const isValid = validator(schema)
  const { choices } = (await (await service.post(body)).json()) as Completion
  expect(choices[0]?.finish_reason).toBe('stop')
  expect(isValid(choices[0]?.message.content ?? '')).toBe(true)
  const loose = structuredClone(body)
  loose.response_format.json_schema.strict = false
  const stream = await service.stream(loose)
  expect([stream.done, isValid(stream.text)]).toEqual([true, true])
})

test('json_object gives an object, and text gives plain text', async () => {
  const contentOf = async (type: string) => {
    const response = await service.post({ ...question, response_format: { type } })
    return ((await response.json()) as Completion).choices[0]!.message.content
  }
  expect(JSON.parse(await contentOf('json_object'))).toEqual({})
  expect(await contentOf('text')).toMatch(/^You said/)
})

test('a schema beside json_object is enforced as with json_schema', async () => {
  const response_format = { type: 'json_object', schema }
  const { choices } = (await (
    await service.post({ ...question, response_format })
  ).json()) as Completion
  expect(validator(schema)(choices[0]?.message.content ?? '')).toBe(true)
})

test('a schema that cannot be enforced is refused before a stream begins, with the name of the keyword', async () => {
  const refused = structuredClone(body) as typeof body & { stream?: boolean }
  Object.assign(refused.response_format.json_schema.schema.properties.quotes, {
    items: { type: 'object' },
    uniqueItems: true,
  })
  const response = await service.post({ ...refused, stream: true })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    error: {
      message: expect.stringContaining(
        '`uniqueItems` is supported for strings, integers and listed values',
      ),
      type: 'invalid_request_error',
      param: 'response_format.json_schema.schema.properties.quotes.uniqueItems',
      code: 'unsupported_value',
    },
  })
})

describe('the model is told the schema', () => {
  const text = `JSON that matches this JSON Schema:\n${JSON.stringify(schema)}`
  const tool = { type: 'function', function: { name: 'add' } }
  const user = question.messages[0]
  const system = { role: 'system', content: 'Be kind.' }
  const seenWith = async (setting: string | undefined, ...bodies: object[]) => {
    const engine = scriptedEngine()
    const prepare = vi.spyOn(engine, 'prepare')
    const environment = setting === undefined ? {} : { PIPIT_SCHEMA_IN_PROMPT: setting }
    const own = await startTestService({ engine, environment })
    try {
      for (const each of bodies) expect((await own.post(each)).status).toBe(200)
    } finally {
      await own.close()
    }
    return prepare.mock.calls.map(([messages]) =>
      messages.map(({ role, content }) => ({ role, content })),
    )
  }

  test('with the setting, at the end of the system message', async () => {
    const withTools = { ...body, tools: [tool] }
    const [alone, after, beside] = await seenWith(
      'on',
      body,
      { ...body, messages: [system, user] },
      withTools,
    )
    expect(alone).toEqual([{ role: 'system', content: `Reply with ${text}` }, user])
    expect(after).toEqual([{ role: 'system', content: `Be kind.\n\nReply with ${text}` }, user])
    expect(beside?.[0]?.content).toContain(`If you call no tool, reply with ${text}`)
  })

  test('and not without a schema, or without the setting', async () => {
    const json = { ...question, response_format: { type: 'json_object' } }
    expect(await seenWith('on', question, json, { ...question, tools: [tool] })).toEqual([
      [user],
      [user],
      [user],
    ])
    expect(await seenWith(undefined, body)).toEqual([[user]])
  })
})
