import { afterAll, beforeAll, expect, test } from 'vitest'
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
  Object.assign(refused.response_format.json_schema.schema.properties.quotes, { uniqueItems: true })
  const response = await service.post({ ...refused, stream: true })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    error: {
      message: expect.stringContaining('`uniqueItems` is not supported'),
      type: 'invalid_request_error',
      param: 'response_format.json_schema.schema.properties.quotes.uniqueItems',
      code: 'unsupported_value',
    },
  })
})
