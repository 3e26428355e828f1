import { describe, expect, test } from 'vitest'
import type { ChatCompletionRequest } from '../../../protocol/chat/chat-request.ts'
import { parseBody } from '../../request/body/json-body.ts'
import { type ToolFormName, toolFormOf } from '../../../engine/tool-forms/detect-tool-form.ts'
import { ToolCallReader } from '../../../engine/tool-forms/reading/tool-call-reader.ts'
import { parseFormat } from './parse-format.ts'

const schema = '{"type":"object","properties":{"b":{},"10":{},"a":{},"2":{}}}'

function formatOf(body: string, toolForm?: ToolFormName): unknown {
  return parseFormat(parseBody(body) as ChatCompletionRequest, (tools, texts) => {
    const reader = new ToolCallReader(toolFormOf(toolForm), tools, true)
    return texts.findIndex((text) => reader.isCall(text))
  })
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

describe('a choice that would be read as a call', () => {
  const tools = [{ type: 'function', function: { name: 'find' } }]
  test.each<[ToolFormName | undefined, string]>([
    [undefined, '<tool_call>x'],
    ['llama3', '{"name": "find", "parameters": {}}'],
    ['llama3', '<|python_tag|>{"name": "find", "parameters": {}}'],
    ['harmony', ' to=functions.find<|channel|>commentary json<|message|>{}'],
    ['solar', '<|begin|>assistant<|tool_calls|>'],
    ['structured', 'a\ufdd0'],
  ])('is refused beside tools: %s %s', (toolForm, text) => {
    const parse = (body: object) => () => formatOf(JSON.stringify(body), toolForm)
    const refused = (param: string) => expect.objectContaining({ code: 'invalid_value', param })
    const choice = ['no', text]
    expect(parse({ guided_choice: choice, tools })).toThrow(refused('guided_choice[1]'))
    expect(parse({ structured_outputs: { choice }, tools })).toThrow(
      refused('structured_outputs.choice[1]'),
    )
    // Without calls, the text is only text.
    expect(parse({ guided_choice: choice })).not.toThrow()
    expect(parse({ guided_choice: choice, tools, tool_choice: 'none' })).not.toThrow()
  })

  test.each<[ToolFormName | undefined, string]>([
    [undefined, 'the tag <tool_call>'],
    [undefined, '<tool_'],
    ['llama3', '{"name": "Bob"}'],
  ])('is not one that only resembles it: %s %s', (toolForm, text) => {
    expect(formatOf(JSON.stringify({ guided_choice: [text], tools }), toolForm)).toMatchObject({
      final: { texts: [text] },
    })
  })
})
