import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { detectDialect } from '../../../src/engine/dialect/detect-dialect.ts'
import type { ChatMessage } from '../../../src/engine/engine.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

type Reply = {
  choices: {
    message: Record<string, unknown>
    logprobs: { content: { token: string }[] }
  }[]
  usage: Record<string, unknown>
  error: { code: string; param: string }
}

const template =
  '{% if enable_thinking is defined %}{% endif %}{% for message in messages %}' +
  '{{ message.content.split("</think>") }}{% endfor %}{{ functions }}'
const reply = '<think>\nTwo and two. stop Four.\n</think>\n\nIt is 4. stop here'

describe('a model that thinks in tags', () => {
  let service: TestService
  const seen: ChatMessage[][] = []
  beforeAll(async () => {
    const engine = scriptedEngine({
      dialect: detectDialect(template),
      reply: (messages) => {
        seen.push([...messages])
        return reply
      },
    })
    service = await startTestService({ engine })
  })
  afterAll(() => service.close())

  const complete = async (body: object) => {
    const response = await service.post({ ...question, ...body })
    return { status: response.status, body: (await response.json()) as Reply }
  }

  test('a whole reply has the thought apart from the content', async () => {
    const { body } = await complete({})
    expect(body.choices[0]?.message).toEqual({
      role: 'assistant',
      content: 'It is 4. stop here',
      refusal: null,
      reasoning_content: 'Two and two. stop Four.',
      reasoning: 'Two and two. stop Four.',
    })
    expect(body.usage.completion_tokens).toBe(13)
    expect(body.usage.completion_tokens_details).toEqual({ reasoning_tokens: 7 })
  })

  test('the receipt counts the tokens of thoughts', async () => {
    for (const body of [{}, { stream: true }]) {
      const response = await service.post({ ...question, ...body })
      await response.text()
      const id = response.headers.get('x-request-id')
      const receipt = await service.request(`/v1/requests/${id}`)
      expect(await receipt.json()).toMatchObject({
        usage: { completion_tokens: 13, completion_tokens_details: { reasoning_tokens: 7 } },
      })
    }
  })

  test('a stream has the thought before the content', async () => {
    const { events, text } = await service.stream({
      ...question,
      stream_options: { include_usage: true },
    })
    const deltas = events.map((event) => event.choices[0]?.delta as Record<string, string>)
    expect(deltas.map((delta) => delta?.['reasoning_content'] ?? '').join('')).toBe(
      'Two and two. stop Four.',
    )
    expect(text).toBe('It is 4. stop here')
    const kinds = deltas.flatMap((delta) =>
      delta?.['reasoning_content'] ? ['thought'] : delta?.['content'] ? ['content'] : [],
    )
    expect(kinds.lastIndexOf('thought')).toBeLessThan(kinds.indexOf('content'))
    expect(events.at(-1)?.usage).toMatchObject({
      completion_tokens_details: { reasoning_tokens: 7 },
    })
  })

  test('a stop sequence ends the answer, not the thought', async () => {
    const { body } = await complete({ stop: 'stop' })
    expect(body.choices[0]?.message).toMatchObject({
      content: 'It is 4. ',
      reasoning_content: 'Two and two. stop Four.',
    })
  })

  test('log-probabilities are those of the content', async () => {
    const { body } = await complete({ logprobs: true })
    const tokens = body.choices[0]?.logprobs.content.map(({ token }) => token)
    expect(tokens?.join('')).toBe('It is 4. stop here')
  })

  test('every choice has a thought of its own', async () => {
    const { body } = await complete({ n: 2 })
    for (const { message } of body.choices)
      expect(message.reasoning_content).toBe('Two and two. stop Four.')
    expect(body.usage.completion_tokens_details).toEqual({ reasoning_tokens: 14 })
  })

  test('a replayed reply has the same thought', async () => {
    const headers = { 'idempotency-key': 'think' }
    const first = await (await service.post(question, { headers })).json()
    const again = await service.post(question, { headers })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await again.json()).toEqual(first)
  })

  test('an earlier thought reaches the engine under both names', async () => {
    for (const name of ['reasoning_content', 'reasoning']) {
      await complete({
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello', [name]: 'A greeting.' },
          { role: 'user', content: 'Hi' },
        ],
      })
      expect(seen.at(-1)?.[1]).toEqual({
        role: 'assistant',
        content: 'Hello',
        reasoning: 'A greeting.',
      })
    }
  })

  test.each([
    [
      'messages[0].reasoning_content',
      { messages: [{ role: 'user', content: 'a', reasoning_content: 'b' }] },
    ],
    [
      'messages[0].reasoning',
      { messages: [{ role: 'assistant', content: 'a', reasoning_content: 'b', reasoning: 'c' }] },
    ],
    [
      'enable_thinking',
      { enable_thinking: true, chat_template_kwargs: { enable_thinking: false } },
    ],
    ['reasoning_effort', { enable_thinking: true, reasoning_effort: 'none' }],
    ['chat_template_kwargs.messages', { chat_template_kwargs: { messages: 'x' } }],
    ['chat_template_kwargs.functions', { chat_template_kwargs: { functions: 'x' } }],
    ['thinking_budget', { thinking_budget: 5, thinking_token_budget: 6 }],
  ])('a contradiction is refused by name: %s', async (param, fields) => {
    const { status, body } = await complete(fields)
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_value', param])
  })

  test.each([
    ['reasoning_effort', { reasoning_effort: 'low' }],
    ['chat_template_kwargs.persona', { chat_template_kwargs: { persona: 'x' } }],
    ['chat_template_kwargs.message', { chat_template_kwargs: { message: 'x' } }],
    ['chat_template_kwargs.if', { chat_template_kwargs: { if: 1 } }],
  ])('what the template does not read is refused by name: %s', async (param, fields) => {
    const { status, body } = await complete(fields)
    expect([status, body.error.code, body.error.param]).toEqual([
      400,
      'unsupported_parameter',
      param,
    ])
  })

  test.each([
    { enable_thinking: false },
    { reasoning_effort: 'none' },
    { chat_template_kwargs: { enable_thinking: true } },
    { thinking_token_budget: 100 },
    { thinking_budget: -1 },
    { thinking_budget_tokens: 0 },
  ])('is accepted: %j', async (fields) => {
    expect((await complete(fields)).status).toBe(200)
  })

  test('a retry with other values for the template is another request', async () => {
    const headers = { 'idempotency-key': 'kwargs' }
    await service.post(question, { headers })
    const body = { ...question, chat_template_kwargs: { enable_thinking: false } }
    expect((await service.post(body, { headers })).status).toBe(422)
  })
})

test.each([
  [
    'Harmony',
    '<|start|>assistant<|channel|>analysis<|message|>',
    '<|channel|>analysis<|message|>Two. <|end|><|start|>assistant <|channel|>final <|constrain|>json<|message|>4 or four',
    '<|constrain|>json<|message|>4 or four',
  ],
  [
    'Command R7B',
    '<|START_THINKING|><|END_THINKING|>',
    '<|START_THINKING|>Two. <|END_THINKING|><|START_RESPONSE|>4 or four <|END_RESPONSE|>',
    '<|END_THINKING|><|START_RESPONSE|>4 or four ',
  ],
])('log-probabilities have no marks of %s around the content', async (_, template, reply, kept) => {
  const engine = scriptedEngine({ dialect: detectDialect(template), reply: () => reply })
  const service = await startTestService({ engine })
  try {
    const response = await service.post({ ...question, logprobs: true })
    const [choice] = ((await response.json()) as Reply).choices
    expect(choice?.logprobs.content.map(({ token }) => token).join('')).toBe(kept)
  } finally {
    await service.close()
  }
})

describe('a model without thoughts', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ engine: scriptedEngine({ reply: () => reply }) })
  })
  afterAll(() => service.close())

  test('its replies are content alone', async () => {
    const body = (await (await service.post(question)).json()) as Reply
    expect(body.choices[0]?.message).toEqual({ role: 'assistant', content: reply, refusal: null })
    expect(body.usage).not.toHaveProperty('completion_tokens_details')
  })

  test('to turn thoughts off is accepted, to turn them on is refused by name', async () => {
    const off = { enable_thinking: false, chat_template_kwargs: { enable_thinking: false } }
    expect((await service.post({ ...question, ...off, reasoning_effort: 'none' })).status).toBe(200)
    for (const fields of [{ enable_thinking: true }, { reasoning_effort: 'low' }]) {
      const response = await service.post({ ...question, ...fields })
      const { error } = (await response.json()) as Reply
      expect([response.status, error.code]).toEqual([400, 'unsupported_parameter'])
    }
  })
})

test('PIPIT_MAX_TOKENS raises the default and the bound of max_tokens', async () => {
  const environment = { PIPIT_MAX_TOKENS: '8192' }
  const service = await startTestService({ environment, engine: scriptedEngine() })
  try {
    expect((await service.post(question)).status).toBe(200)
    expect((await service.post({ ...question, max_tokens: 8192 })).status).toBe(200)
    const response = await service.post({ ...question, max_tokens: 8193 })
    expect([response.status, ((await response.json()) as Reply).error.param]).toEqual([
      400,
      'max_tokens',
    ])
    for (const path of ['/v1/tokenize', '/v1/chat/completions/input_tokens'])
      expect((await service.post({ ...question, max_tokens: 8192 }, { path })).status).toBe(200)
    const completed = service.ledgerRows().filter((row) => row['outcome'] !== 'refused')
    expect(completed.map((row) => row['max_tokens'])).toEqual([8192, 8192])
    const document = await (await service.request('/openapi.json')).text()
    expect(document).toContain('"maximum":8192')
  } finally {
    await service.close()
  }
})

test('PIPIT_MAX_TOKENS raises the default also where it is the usual bound', async () => {
  const environment = { PIPIT_MAX_TOKENS: '2048' }
  const service = await startTestService({ environment, engine: scriptedEngine() })
  try {
    expect((await service.post(question)).status).toBe(200)
    expect(service.ledgerRows().map((row) => row['max_tokens'])).toEqual([2048])
    const document = await (await service.request('/openapi.json')).text()
    expect(document).toContain('"maximum":2048,"default":2048')
  } finally {
    await service.close()
  }
})
