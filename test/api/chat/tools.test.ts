import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

const said = (text: string) => ({ ...question, messages: [{ role: 'user', content: text }] })
const callOf = (name: string, text: string) =>
  `<tool_call>\n{"name": "${name}", "arguments": ${text}}\n</tool_call>`

let service: TestService
let openai: OpenAI
beforeAll(async () => {
  // The engine replies with the text of the last message.
  const reply = (messages: readonly { content: string }[]) => messages.at(-1)?.content ?? ''
  service = await startTestService({ engine: scriptedEngine({ reply }) })
  openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, maxRetries: 0 })
})
afterAll(() => service.close())

const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'weather',
      description: 'The weather of a place.',
      parameters: {
        type: 'object',
        properties: { place: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
        required: ['place', 'days'],
        additionalProperties: false,
      },
    },
  },
  { type: 'function' as const, function: { name: 'stop_all' } },
]
type Choice = {
  message: {
    content: string | null
    tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[]
  }
  finish_reason: string
}
async function complete(body: object): Promise<Choice> {
  const response = await service.post(body)
  expect(response.status).toBe(200)
  return ((await response.json()) as { choices: Choice[] }).choices[0]!
}

describe('a required call', () => {
  test('is a call of one of the tools, with content null and the finish reason tool_calls', async () => {
    const { message, finish_reason: reason } = await complete({
      ...question,
      tools,
      tool_choice: 'required',
      parallel_tool_calls: false,
    })
    expect([reason, message.content, message.tool_calls?.length]).toEqual(['tool_calls', null, 1])
    const [call] = message.tool_calls ?? []
    expect(call).toMatchObject({ id: expect.stringMatching(/^call_\w{24}$/), type: 'function' })
    expect(['weather', 'stop_all']).toContain(call?.function.name)
  })

  test('is a call of the tool that tool_choice names', async () => {
    for (const name of ['weather', 'stop_all']) {
      const { message } = await complete({
        ...question,
        tools,
        tool_choice: { type: 'function', function: { name } },
      })
      const [call] = message.tool_calls ?? []
      expect(call?.function.name).toBe(name)
      const value = JSON.parse(call?.function.arguments ?? '')
      if (name === 'weather')
        expect(value).toEqual({ place: expect.any(String), days: expect.any(Number) })
      else expect(value).toEqual({})
    }
  })
})

test('the description of a tool may have 32,768 characters', async () => {
  const described = (chars: number) => ({
    ...question,
    tools: [{ type: 'function', function: { name: 'edit', description: 'a'.repeat(chars) } }],
  })
  expect((await service.post(described(32_768))).status).toBe(200)
  const refused = await service.post(described(32_769))
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { code: 'string_above_max_length', param: 'tools[0].function.description' } },
  ])
})

const args = '{"place":"a } </tool_call> \\"b\\"","days":3}'
const both = `Let me look.\n${callOf('weather', args)}\n${callOf('stop_all', '{}')}`

test('stop sequences end the text before a call, but no call', async () => {
  const stop = ['\n{', '"name"', 'place', '</tool_call>']
  const { message, finish_reason: reason } = await complete({ ...said(both), tools, stop })
  expect([reason, message.content, message.tool_calls?.length]).toEqual([
    'tool_calls',
    'Let me look.\n',
    2,
  ])
  const cut = await complete({ ...said(both), tools, stop: ['look', '<'] })
  expect([cut.finish_reason, cut.message.content]).toEqual(['stop', 'Let me '])
  const required = { ...question, tools, tool_choice: 'required', stop: ['\n', '"'] }
  expect((await complete(required)).finish_reason).toBe('tool_calls')
})

test('calls inside a text are separated from the text', async () => {
  const { message, finish_reason: reason } = await complete({ ...said(both), tools })
  expect([reason, message.content]).toEqual(['tool_calls', 'Let me look.\n'])
  expect(message.tool_calls?.map((call) => call.function)).toEqual([
    { name: 'weather', arguments: args },
    { name: 'stop_all', arguments: '{}' },
  ])
  const [first, second] = message.tool_calls ?? []
  expect(first?.id).not.toBe(second?.id)
})

test('text stays text without tools, with tool_choice none, and after an incomplete opening tag', async () => {
  for (const more of [{}, { tools, tool_choice: 'none' }]) {
    const { message, finish_reason: reason } = await complete({ ...said(both), ...more })
    expect([reason, message.content, message.tool_calls]).toEqual(['stop', both, undefined])
  }
  const { message, finish_reason: reason } = await complete({ ...said('a <tool_cal'), tools })
  expect([reason, message.content, message.tool_calls]).toEqual(['stop', 'a <tool_cal', undefined])
})

test('a truncated call has the finish reason length and the arguments up to there', async () => {
  const text = `<tool_call>\n{"name": "weather", "arguments": {"place": "a b c d e f`
  const { message, finish_reason: reason } = await complete({ ...said(text), tools, max_tokens: 8 })
  expect(reason).toBe('length')
  expect(message.tool_calls?.[0]?.function.arguments).toMatch(/^\{"place": "a b/)
})

test('the stock client assembles from a stream the same message as without a stream', async () => {
  const whole = await complete({ ...said(both), tools })
  const stream = openai.chat.completions.stream({
    model: 'svc-o1-mini',
    messages: [{ role: 'user', content: both }],
    tools,
  })
  const { message, finish_reason: reason } = (await stream.finalChatCompletion()).choices[0]!
  expect([reason, message.content]).toEqual(['tool_calls', 'Let me look.\n'])
  const named = (calls: Choice['message']['tool_calls'] = []) =>
    calls.map(({ type, function: { name, arguments: text } }) => [type, name, text])
  expect(named(message.tool_calls as Choice['message']['tool_calls'])).toEqual(
    named(whole.message.tool_calls),
  )
})

test('a stream sends the name of a call first, then its arguments in pieces', async () => {
  const { events, done } = await service.stream({ ...said(callOf('weather', args)), tools })
  expect(done).toBe(true)
  const deltas = events.flatMap(({ choices }) => choices.map(({ delta }) => delta as Delta))
  const calls = deltas.flatMap((delta) => delta.tool_calls ?? [])
  expect(calls[0]).toEqual({
    index: 0,
    id: expect.stringMatching(/^call_/),
    type: 'function',
    function: { name: 'weather', arguments: '' },
  })
  expect(calls.slice(1).every((call) => call.id === undefined && call.index === 0)).toBe(true)
  expect(calls.map((call) => call.function.arguments).join('')).toBe(args)
  expect(events.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls')
})

type Delta = {
  tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[]
}

test('a repeat under the same key has the same calls with the same ids', async () => {
  const headers = { 'idempotency-key': 'once' }
  const ask = async () =>
    (await (await service.post({ ...said(both), tools }, { headers })).json()) as {
      choices: Choice[]
    }
  const first = await ask()
  expect(first.choices[0]?.message.tool_calls).toHaveLength(2)
  expect(await ask()).toEqual(first)
})

test('a repeat after a change of the model has the same calls', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-tools-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const dialect = { toolForm: 'mistral', variables: [] } as const
  const reply = () => `[TOOL_CALLS]weather[ARGS]${args}`
  const headers = { 'idempotency-key': 'once' }
  const body = { ...question, tools }
  const before = await startTestService({ dataDir, engine: scriptedEngine({ dialect, reply }) })
  const first = (await (await before.post(body, { headers })).json()) as { choices: Choice[] }
  await before.close()
  expect(first.choices[0]?.message.tool_calls).toHaveLength(1)
  const after = await startTestService({ dataDir, engine: scriptedEngine() })
  onTestFinished(() => after.close())
  const again = await after.post(body, { headers, key: before.key })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await again.json()).toEqual(first)
})

test('a call, its result and the final answer make a whole round', async () => {
  const { message } = await complete({ ...said(callOf('weather', args)), tools })
  const [call] = message.tool_calls ?? []
  const answer = await complete({
    ...question,
    tools,
    messages: [
      ...question.messages,
      { role: 'assistant', ...message },
      { role: 'tool', tool_call_id: call?.id, content: [{ type: 'text', text: 'It is warm.' }] },
    ],
  })
  expect([answer.finish_reason, answer.message.content]).toEqual(['stop', 'It is warm.'])
})

test('arguments of an earlier call may nest as deep as a body, and are refused beyond that', async () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}1.5${']'.repeat(levels - 1)}}`
  const after = (text: string) => ({
    ...question,
    messages: [
      ...question.messages,
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: text } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'done' },
    ],
  })
  expect((await service.post(after(nested(128)))).status).toBe(200)
  for (const levels of [129, 100_000]) {
    const response = await service.post(after(nested(levels)))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: {
        code: 'invalid_value',
        param: 'messages[1].tool_calls[0].function.arguments',
        message: expect.stringContaining('nested at most 128 levels deep'),
      },
    })
  }
})
