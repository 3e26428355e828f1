import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

type Completion = {
  id: string
  created: number
  choices: { message: { content: string }; finish_reason: string }[]
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
}
type Explained = {
  choices: {
    message?: { content: string }
    logprobs: { content: { token: string; logprob: number }[] } | null
  }[]
}
const complete = async (body: object, path = '/v1/chat/completions') => {
  const response = await service.post(body, { path })
  expect(response.status).toBe(200)
  return (await response.json()) as Completion
}

describe.each(['/v1/chat/completions', '/v1/chat'])('POST %s (docs/interface.md §4.1)', (path) => {
  test('answers with a Completion object (§2.2)', async () => {
    const before = Math.floor(Date.now() / 1000)
    const completion = await complete(question, path)
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
      object: 'chat.completion',
      model: 'svc-o1-mini',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: expect.stringMatching(/\S/) },
          finish_reason: 'stop',
        },
      ],
      system_fingerprint: expect.stringMatching(/^fp_/),
    })
    expect(completion.created).toBeGreaterThanOrEqual(before)
    const { prompt_tokens, completion_tokens, total_tokens } = completion.usage
    expect(prompt_tokens).toBeGreaterThan(0)
    expect(total_tokens).toBe(prompt_tokens + completion_tokens)
  })

  test('streams when `stream` is true, for any `Accept` header (§4.2)', async () => {
    for (const accept of ['text/event-stream', 'application/json', '*/*']) {
      const stream = await service.stream(question, { path, headers: { accept } })
      expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(stream.done).toBe(true)
    }
  })
})

describe('request fields (§4.1, §8)', () => {
  test('max_tokens is 256 when it is absent or null, and 1 and 2048 are its bounds', async () => {
    const long = { ...question, messages: [{ role: 'user', content: 'scripted: long' }] }
    for (const max_tokens of [1, 2048, null, undefined])
      expect((await service.post({ ...question, max_tokens })).status).toBe(200)
    const one = await complete({ ...long, max_tokens: 1 })
    expect(one.usage.completion_tokens).toBe(1)
    expect(one.choices[0]?.finish_reason).toBe('length')
  })

  test('temperature takes values from 0 to 1', async () => {
    for (const temperature of [0, 0.01, 0.7, 1, null])
      expect((await service.post({ ...question, temperature })).status).toBe(200)
  })

  test('a repeated request has the same text at temperature 0 or with a seed', async () => {
    for (const fixed of [{ temperature: 0 }, { temperature: 1, seed: 7 }]) {
      const [a, b] = [
        await complete({ ...question, ...fixed }),
        await complete({ ...question, ...fixed }),
      ]
      expect(a.choices[0]?.message.content).toBe(b.choices[0]?.message.content)
      expect(a.id).not.toBe(b.id)
    }
  })

  test('every role is accepted, and the order of messages matters (§2.1)', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One.' },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'Three.' },
    ]
    const forward = await complete({ ...question, messages, temperature: 0 })
    const backward = await complete({
      ...question,
      messages: messages.toReversed(),
      temperature: 0,
    })
    expect(forward.choices[0]?.message.content).not.toBe(backward.choices[0]?.message.content)
  })

  test('content parts are joined to one text', async () => {
    const parts = [
      { role: 'user', content: ['What is ', 'a pipit?'].map((text) => ({ type: 'text', text })) },
    ]
    const [asParts, asText] = [
      await complete({ ...question, messages: parts, temperature: 0 }),
      await complete({ ...question, temperature: 0 }),
    ]
    expect(asParts.choices[0]?.message.content).toBe(asText.choices[0]?.message.content)
    expect(asParts.usage).toEqual(asText.usage)
  })

  test('max_completion_tokens is another name for max_tokens', async () => {
    const limited = await complete({ ...question, max_completion_tokens: 2, max_tokens: null })
    expect(limited.usage.completion_tokens).toBeLessThanOrEqual(2)
    expect(
      (await service.post({ ...question, max_completion_tokens: 2, max_tokens: 2 })).status,
    ).toBe(200)
    expect(
      (await service.post({ ...question, max_completion_tokens: 2, max_tokens: 3 })).status,
    ).toBe(400)
  })

  test('the reply ends before a stop sequence', async () => {
    const { content } = (await complete({ ...question, temperature: 0 })).choices[0]!.message
    const word = content.trim().split(' ').at(-1)!
    const stopped = await complete({ ...question, temperature: 0, stop: [word, 'never said'] })
    expect(stopped.choices[0]?.message.content).toBe(content.slice(0, content.indexOf(word)))
    expect(stopped.choices[0]?.finish_reason).toBe('stop')
  })

  test('null for an optional field means its default', async () => {
    const nulls = Object.fromEntries(
      [
        'max_tokens',
        'temperature',
        'stream',
        'stop',
        'top_p',
        'seed',
        'n',
        'user',
        'tools',
        'tool_choice',
        'response_format',
        'stream_options',
        'logprobs',
        'functions',
        'metadata',
      ].map((name) => [name, null]),
    )
    expect((await service.post({ ...question, ...nulls })).status).toBe(200)
  })

  test('parameters that cannot change the reply are accepted', async () => {
    const neutral = {
      user: 'ada',
      metadata: { a: 'b' },
      store: false,
      service_tier: 'auto',
      safety_identifier: 'x',
      prompt_cache_key: 'y',
      parallel_tool_calls: true,
      n: 1,
      logprobs: false,
      top_logprobs: 0,
      presence_penalty: 0,
      frequency_penalty: 0,
      logit_bias: {},
      response_format: { type: 'text' },
      tools: [],
      tool_choice: 'auto',
      modalities: ['text'],
      stream_options: { include_usage: true },
    }
    const response = await service.post({ ...question, ...neutral })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-ignored-parameters')).toBeNull()
  })

  test('every token has its logprobs, streamed or not', async () => {
    const asked = { ...question, logprobs: true, top_logprobs: 2 }
    const whole = (await (await service.post(asked)).json()) as Explained
    const { logprobs, message } = whole.choices[0] ?? {}
    expect(logprobs?.content.map(({ token }) => token).join('')).toBe(message?.content)
    expect(logprobs?.content[0]).toEqual({
      token: expect.stringMatching(/\S/),
      logprob: 0,
      bytes: expect.arrayContaining([expect.any(Number)]),
      top_logprobs: [{ token: logprobs?.content[0]?.token, logprob: 0, bytes: expect.any(Array) }],
    })
    const stream = await service.stream(asked)
    const pieces = stream.events.flatMap((event) => (event as unknown as Explained).choices)
    const tokens = pieces.flatMap((piece) => piece.logprobs?.content ?? [])
    expect(tokens.map(({ token }) => token).join('')).toBe(stream.text)
    const plain = (await (await service.post(question)).json()) as Explained
    expect(plain.choices[0]?.logprobs).toBeNull()
  })

  test('an unknown parameter is ignored and named in a response header', async () => {
    const response = await service.post({ ...question, temprature: 1, foo_bar: {} })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-ignored-parameters')).toBe('temprature, foo_bar')
    const stream = await service.stream({ ...question, foo: 1 })
    expect(stream.headers.get('x-ignored-parameters')).toBe('foo')
  })
})

describe('responses', () => {
  test('every response has a request id and its processing time, errors and streams too', async () => {
    const replies = [
      await service.post(question),
      await service.post({ ...question, stream: true }),
      await service.post({}),
      await service.post(question, { key: 'nonsense' }),
      await service.request('/nowhere'),
      await service.request('/healthz', { key: null }),
    ]
    for (const reply of replies) {
      expect(reply.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
      expect(reply.headers.get('x-processing-ms')).toMatch(/^\d+$/)
      await reply.body?.cancel()
    }
    expect(new Set(replies.map((reply) => reply.headers.get('x-request-id'))).size).toBe(
      replies.length,
    )
  })

  test('the usage of a reply is on the ledger before the reply is sent', async () => {
    const response = await service.post(question)
    const { usage } = (await response.json()) as Completion
    const row = service
      .ledgerRows()
      .find((entry) => entry['request_id'] === response.headers.get('x-request-id'))
    expect(row).toMatchObject({
      state: 'final',
      outcome: 'completed',
      prompt_tokens: usage.prompt_tokens,
      completion_tokens: usage.completion_tokens,
      stream: 0,
    })
  })
})

describe('other endpoints', () => {
  test('the model is listed with its context length', async () => {
    const list = await (await service.request('/v1/models')).json()
    expect(list).toMatchObject({
      object: 'list',
      data: [
        {
          id: 'svc-o1-mini',
          object: 'model',
          context_length: expect.any(Number),
          max_model_len: expect.any(Number),
        },
      ],
    })
    expect((await service.request('/v1/models/svc-o1-mini')).status).toBe(200)
    expect((await service.request('/v1/models/gpt-4')).status).toBe(404)
    expect((await service.request('/v1/models', { key: null })).status).toBe(401)
  })

  test('health and readiness need no key', async () => {
    expect((await service.request('/healthz', { key: null })).status).toBe(200)
    const ready = await service.request('/readyz', { key: null })
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', engine: true, ledger: true, accepting: true },
    ])
  })

  test('metrics have their own listener and contain no keys or texts (T33)', async () => {
    await service.post(question)
    const { id } = (await (await service.request('/v1/key')).json()) as { id: string }
    await service.request('/v1/canary?canary=1')
    const text = await (await fetch(service.metricsUrl)).text()
    expect(text).toMatch(/pipit_completions_total\{outcome="completed"\} [1-9]/)
    for (const hidden of [service.key, id, 'acct_', 'canary']) expect(text).not.toContain(hidden)
    expect((await service.request('/metrics')).status).toBe(404)
    expect((await fetch(new URL('/', service.metricsUrl))).status).toBe(404)
  })
})
