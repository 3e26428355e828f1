import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import type { ToolFormName } from '../../../src/engine/tool-forms/detect-tool-form.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'weather',
      parameters: {
        type: 'object',
        properties: {
          place: { type: 'string' },
          days: { type: 'integer', minimum: 1 },
          exact: { type: 'boolean' },
        },
        required: ['place', 'days'],
        additionalProperties: false,
      },
    },
  },
  { type: 'function' as const, function: { name: 'stop_all' } },
]
const args = { place: 'a "b" </x>\n} \\ 1', days: 3, exact: true }

/** Replies with two tool calls, or with one call in families that make only one at a time. */
const replies = {
  functionXml: `<tool_call>\n<function=weather>\n<parameter=place>\n${args.place}\n</parameter>\n<parameter=days>\n3\n</parameter>\n<parameter=exact>\ntrue\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=stop_all>\n</function>\n</tool_call>`,
  glm: `<tool_call>weather\n<arg_key>place</arg_key>\n<arg_value>${args.place}</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n<arg_key>exact</arg_key>\n<arg_value>true</arg_value>\n</tool_call>\n<tool_call>stop_all\n</tool_call>`,
  llama3: `{"name": "weather", "parameters": ${JSON.stringify(args)}}`,
  mistral: `[TOOL_CALLS]weather[ARGS]${JSON.stringify(args)}[TOOL_CALLS]stop_all[ARGS]{}`,
  mistralList: `[TOOL_CALLS][{"name": "weather", "arguments": ${JSON.stringify(args)}, "id": "abcdefgh1"}, {"name": "stop_all", "arguments": {}, "id": "abcdefgh2"}]`,
  gemma4: `<|tool_call>call:weather{days:3,exact:true,place:<|"|>${args.place}<|"|>}<tool_call|><|tool_call>call:stop_all{}<tool_call|>`,
  harmony: `<|channel|>commentary to=functions.weather <|constrain|>json<|message|>${JSON.stringify(args)}`,
  commandR: `<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "weather", "parameters": ${JSON.stringify(args)}},\n    {"tool_call_id": "1", "tool_name": "stop_all", "parameters": {}}\n]<|END_ACTION|>`,
  granite3: `<|tool_call|>[{"name": "weather", "arguments": ${JSON.stringify(args)}}, {"name": "stop_all", "arguments": {}}]`,
  deepseekV32: `<｜DSML｜function_calls>\n<｜DSML｜invoke name="weather">\n<｜DSML｜parameter name="place" string="true">${args.place}</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n<｜DSML｜parameter name="exact" string="false">true</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="stop_all">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
} satisfies Partial<Record<ToolFormName, string>>

let service: TestService | undefined
afterEach(() => service?.close())

async function start(toolForm: ToolFormName, reply: string): Promise<TestService> {
  const dialect = { variables: [], toolForm }
  service = await startTestService({ engine: scriptedEngine({ dialect, reply: () => reply }) })
  return service
}

type Choice = {
  message: {
    content: string | null
    tool_calls?: { function: { name: string; arguments: string } }[]
  }
  finish_reason: string
}

async function complete(from: TestService, body: object): Promise<Choice> {
  const response = await from.post({ ...question, tools, ...body })
  expect(response.status).toBe(200)
  return ((await response.json()) as { choices: Choice[] }).choices[0]!
}

describe.each(Object.entries(replies) as [ToolFormName, string][])('the form %s', (form, reply) => {
  const isSingle = form === 'llama3' || form === 'harmony'
  const expected = [['weather', args], ...(isSingle ? [] : [['stop_all', {}]])]
  const called = (calls: Choice['message']['tool_calls'] = []) =>
    calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)])

  test('gives the same calls whole and streamed', async () => {
    const from = await start(form, reply)
    const { message, finish_reason: reason } = await complete(from, {})
    expect([reason, message.content]).toEqual(['tool_calls', null])
    expect(called(message.tool_calls)).toEqual(expected)
    const openai = new OpenAI({ baseURL: `${from.url}/v1`, apiKey: from.key, maxRetries: 0 })
    const stream = openai.chat.completions.stream({
      model: 'svc-o1-mini',
      messages: [{ role: 'user', content: 'x' }],
      tools,
    })
    const { message: streamed, finish_reason: end } = (await stream.finalChatCompletion())
      .choices[0]!
    expect(end).toBe('tool_calls')
    expect(called(streamed.tool_calls as Choice['message']['tool_calls'])).toEqual(expected)
  })

  test('is constrained for a required and a named call, and leaves an answer alone', async () => {
    const from = await start(form, 'A plain <answer>.')
    const named = { type: 'function', function: { name: 'weather' } }
    const { message, finish_reason: reason } = await complete(from, { tool_choice: named })
    expect([reason, message.content]).toEqual(['tool_calls', null])
    expect(called(message.tool_calls)).toEqual([
      ['weather', { place: expect.any(String), days: expect.any(Number) }],
    ])
    const required = await complete(from, { tool_choice: 'required', parallel_tool_calls: false })
    expect(required.message.tool_calls).toHaveLength(1)
    for (const choice of ['auto', 'none']) {
      const answer = await complete(from, { tool_choice: choice })
      expect([answer.finish_reason, answer.message.content]).toEqual(['stop', 'A plain <answer>.'])
    }
  })
})

test('tools beside a format of the reply: an answer has the format, a call does not need it', async () => {
  const schema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] }
  const format = { type: 'json_schema', json_schema: { name: 'sum', schema } }
  const from = await start('hermes', 'unused')
  for (const choice of ['auto', 'none']) {
    const body = { response_format: format, tool_choice: choice }
    const { message, finish_reason: reason } = await complete(from, body)
    expect([reason, JSON.parse(message.content ?? '')]).toEqual([
      'stop',
      { sum: expect.any(Number) },
    ])
  }
  const object = await complete(from, { response_format: { type: 'json_object' } })
  expect(JSON.parse(object.message.content ?? '')).toEqual({})
  const call = await complete(from, { response_format: format, tool_choice: 'required' })
  expect([call.finish_reason, call.message.content]).toEqual(['tool_calls', null])
})

test('a string of a JSON answer may contain what begins a call, and a stop sequence after it counts', async () => {
  const note = 'write <tool_call> first; then stop'
  const schema = { type: 'object', properties: { note: { const: note } }, required: ['note'] }
  const format = { type: 'json_schema', json_schema: { name: 'note', schema } }
  const from = await start('hermes', 'unused')
  const answer = await complete(from, { response_format: format })
  expect([answer.finish_reason, answer.message.tool_calls]).toEqual(['stop', undefined])
  expect(JSON.parse(answer.message.content ?? '')).toEqual({ note })
  const stopped = await complete(from, { response_format: format, stop: [';'] })
  expect(stopped.message.content).toMatch(/write <tool_call> first$/)
})
