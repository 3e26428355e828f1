import { expect, test } from 'vitest'
import type { ChatCompletionRequest } from '../../../protocol/chat/chat-request.ts'
import { parseBody } from '../../request/body/json-body.ts'
import { parseFormat } from './parse-format.ts'

const schema = '{"type":"object","properties":{"b":{},"10":{},"a":{},"2":{}}}'

function formatOf(body: string): unknown {
  return parseFormat(parseBody(body) as ChatCompletionRequest)
}

test('property names that look like integers keep their order', () => {
  expect(
    formatOf(`{"response_format":{"type":"json_schema","json_schema":{"schema":${schema}}}}`),
  ).toMatchObject({ schema })
  const tool = `{"type":"function","function":{"name":"f","parameters":${schema}}}`
  expect(formatOf(`{"tools":[${tool}]}`)).toMatchObject({ tools: [{ parameters: schema }] })
  for (const given of [schema, JSON.stringify(schema)])
    expect(formatOf(`{"guided_json":${given}}`)).toMatchObject({ schema })
})

test.each([
  ['nested too deeply', `{"enum":[${'['.repeat(5000)}${']'.repeat(5000)}]}`],
  ['with a member named __proto__', '{"properties":{"__proto__":{}}}'],
])('the text of a schema %s is refused with its name (T15, T16)', (_, text) => {
  const refused = (name: string, body: object) =>
    expect(() => formatOf(JSON.stringify(body))).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: name }),
    )
  refused('guided_json', { guided_json: text })
  refused('json_schema', { json_schema: text })
  refused('structured_outputs.json', { structured_outputs: { json: text } })
})

test('a schema beside the type json_schema, as Together documents it, is read', () => {
  const format = (more: string) => `{"response_format":{"type":"json_schema",${more}}}`
  expect(formatOf(format(`"schema":${schema}`))).toMatchObject({ type: 'json_schema', schema })
  expect(() =>
    formatOf(format(`"schema":${schema},"json_schema":{"name":"a","schema":{}}`)),
  ).toThrow(expect.objectContaining({ code: 'invalid_value', param: 'response_format.schema' }))
})
