import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { UpstreamSettings } from '../../../src/engine/upstream/upstream-settings.ts'
import {
  chunk,
  finish,
  open,
  say,
  type ScriptedUpstream,
  send,
  startUpstream,
  truth,
} from '../../support/upstream/scripted-upstream.ts'
import { addAccountWithKey } from '../../support/accounts.ts'
import { startFrontedService } from '../../support/upstream/fronted-service.ts'
import { question } from '../../support/service.ts'

type Service = Awaited<ReturnType<typeof startFrontedService>>
type Flavour = UpstreamSettings['flavour']
const flavours: readonly Flavour[] = ['vllm', 'sglang', 'llama-server', 'ollama', 'openai']

let upstream: ScriptedUpstream
const services = new Map<Flavour, Service>()
beforeAll(async () => {
  upstream = await startUpstream()
  for (const flavour of flavours)
    services.set(
      flavour,
      await startFrontedService({ urls: [upstream.url], flavour, key: 'secret-of-the-upstream' }),
    )
})
afterAll(async () => {
  for (const service of services.values()) await service.close()
  await upstream.close()
})
beforeEach(async () => {
  // A late probe may have ejected the upstream; another one admits it again.
  for (const service of services.values()) await service.isReady()
  upstream.asked.length = 0
  upstream.script = (response, asked) =>
    (asked.body['tool_choice'] === 'required' ? callWeather : say('Hello'))(response, asked)
})

const callWeather: ScriptedUpstream['script'] = (response) => {
  open(response)
  const call = { index: 0, id: 'a', function: { name: 'weather', arguments: '{}' } }
  send(response, chunk({ tool_calls: [call] }))
  send(response, chunk({}, 'tool_calls'))
  finish(response)
}

const serviceOf = (flavour: Flavour): Service => {
  const service = services.get(flavour)
  if (service === undefined) throw new Error('no service')
  return service
}

/** Sends a request, and returns the request that the upstream received. */
async function sent(flavour: Flavour, body: object, headers: Record<string, string> = {}) {
  const response = await serviceOf(flavour).post({ ...question, ...body }, { headers })
  expect([response.status, await response.json()]).toMatchObject([200, {}])
  const asked = upstream.asked.at(-1)
  if (asked === undefined) throw new Error('the upstream was not asked')
  return asked
}

const tool = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: { city: {} } } },
}
const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }
const jsonSchema = { type: 'json_schema', json_schema: { name: 'x', schema } }

test('the upstream gets our headers and its own key, and nothing of the client', async () => {
  const { headers } = await sent(
    'vllm',
    {},
    { 'x-session-id': 'mine', cookie: 'a=b', 'x-custom': 'c' },
  )
  expect(headers).toMatchObject({
    authorization: 'Bearer secret-of-the-upstream',
    'user-agent': 'pipit',
    'x-request-id': expect.any(String),
  })
  for (const name of ['x-session-id', 'cookie', 'x-custom']) expect(headers[name]).toBeUndefined()
})

test('a router gets hints that name the account by a hash, which a client cannot set', async () => {
  const { headers } = await sent('openai', {}, { 'x-session-id': 'mine' })
  expect(headers['x-session-id']).toMatch(/^[\w-]{43}$/)
  expect(headers['x-gateway-inference-fairness-id']).toBe(headers['x-session-id'])
})

test('the cache salt is the same for an account only, is no name of it, and cannot be set (T34)', async () => {
  const first = await sent('vllm', { cache_salt: 'mine' })
  const second = await sent('vllm', { messages: [{ role: 'user', content: 'Another' }] })
  expect(first.body['cache_salt']).toMatch(/^[\w-]{43}$/)
  expect(second.body['cache_salt']).toBe(first.body['cache_salt'])
  const other = await addAccountWithKey(serviceOf('vllm'), 'other')
  await expect.poll(async () => (await serviceOf('vllm').post(question, other)).status).toBe(200)
  expect(upstream.asked.at(-1)?.body['cache_salt']).not.toBe(first.body['cache_salt'])
  expect((await sent('ollama', {})).body).not.toHaveProperty('cache_salt')
})

describe.each(flavours)('%s', (flavour) => {
  test('is asked for its own model, a stream and the usage', async () => {
    const { body } = await sent(flavour, { max_tokens: 7, temperature: 0.5, stop: ['END'] })
    expect(body).toMatchObject({
      model: 'real-model',
      messages: question.messages,
      max_tokens: 7,
      temperature: 0.5,
      stop: ['END'],
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(body).not.toHaveProperty('n')
  })
})

type Case = [name: string, body: object, sent: Record<Flavour, object | 'refused'>]
const extended = (members: object, others: Partial<Record<Flavour, object | 'refused'>> = {}) => ({
  vllm: members,
  sglang: members,
  'llama-server': members,
  ollama: 'refused' as const,
  openai: 'refused' as const,
  ...others,
})
const everywhere = (members: object) =>
  extended(members, { ollama: members, openai: members }) as Case[2]

const cases: readonly Case[] = [
  ['top_p', { top_p: 0.9 }, everywhere({ top_p: 0.9 })],
  ['seed', { seed: 5 }, everywhere({ seed: 5 })],
  ['presence_penalty', { presence_penalty: 1 }, everywhere({ presence_penalty: 1 })],
  ['frequency_penalty', { frequency_penalty: -1 }, everywhere({ frequency_penalty: -1 })],
  ['top_k', { top_k: 40 }, extended({ top_k: 40 })],
  ['min_p', { min_p: 0.1 }, extended({ min_p: 0.1 })],
  [
    'stop_token_ids',
    { stop_token_ids: [3] },
    extended({ stop_token_ids: [3] }, { 'llama-server': 'refused' }),
  ],
  [
    'logit_bias',
    { logit_bias: { 5: -100 } },
    extended({ logit_bias: { 5: -100 } }, { openai: { logit_bias: { 5: -100 } } }),
  ],
  [
    'logprobs',
    { logprobs: true },
    extended(
      { logprobs: true, top_logprobs: 0 },
      { 'llama-server': { top_logprobs: 1 }, openai: { logprobs: true } },
    ),
  ],
  [
    'tool_choice',
    { tools: [tool], tool_choice: 'required' },
    extended({ tool_choice: 'required' }, { openai: { tool_choice: 'required' } }),
  ],
  [
    'parallel_tool_calls',
    { tools: [tool], parallel_tool_calls: false },
    extended({ parallel_tool_calls: false }, { openai: { parallel_tool_calls: false } }),
  ],
  [
    'response_format',
    { response_format: jsonSchema },
    everywhere({ response_format: { type: 'json_schema', json_schema: { strict: true, schema } } }),
  ],
  [
    'structured_outputs.choice',
    { guided_choice: ['a.b', 'c"d'] },
    extended(
      {},
      {
        vllm: { structured_outputs: { choice: ['a.b', 'c"d'] } },
        sglang: { regex: '(a\\.b|c"d)' },
        'llama-server': { grammar: 'root ::= "a.b" | "c\\"d"' },
      },
    ),
  ],
  ['reasoning_effort', { reasoning_effort: 'low' }, everywhere({ reasoning_effort: 'low' })],
  [
    'enable_thinking',
    { enable_thinking: false },
    extended(
      { chat_template_kwargs: { enable_thinking: false } },
      { ollama: { reasoning_effort: 'none' } },
    ),
  ],
  [
    'thinking_token_budget',
    { thinking_budget: 100 },
    extended(
      { thinking_token_budget: 100 },
      { sglang: 'refused', 'llama-server': { thinking_budget_tokens: 100 } },
    ),
  ],
  [
    'complete_json',
    { response_format: jsonSchema, complete_json: true },
    extended({}, { vllm: 'refused', sglang: 'refused', 'llama-server': 'refused' }),
  ],
]

describe('each parameter is mapped, or refused by its name', () => {
  const table = cases.flatMap(([name, body, byFlavour]) =>
    flavours.map((flavour) => ({ name, flavour, body, expected: byFlavour[flavour] })),
  )
  test.for(table)('$name for $flavour', async ({ name, flavour, body, expected }) => {
    if (expected !== 'refused') {
      expect((await sent(flavour, body)).body).toMatchObject(expected)
      return
    }
    const response = await serviceOf(flavour).post({ ...question, ...body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: {
        code: 'unsupported_parameter',
        param: name,
        message: expect.stringContaining(flavour),
      },
    })
    expect(upstream.asked).toHaveLength(0)
  })
})

test('a conversation with calls and thoughts reaches the upstream in its shape', async () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Weather?' },
    { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
  ]
  expect((await sent('sglang', { messages, tools: [tool] })).body).toMatchObject({
    messages,
    tools: [tool],
  })
})

describe('replies pass through in our shape', () => {
  test('thoughts, under both names, with the tokens that the upstream has counted', async () => {
    for (const name of ['reasoning_content', 'reasoning']) {
      upstream.script = (response) => {
        open(response)
        send(response, chunk({ role: 'assistant', [name]: 'Let me' }))
        send(response, chunk({ [name]: ' see.' }))
        send(response, chunk({ content: 'Yes.' }, 'stop'))
        const details = { completion_tokens_details: { reasoning_tokens: 3 } }
        send(response, { choices: [], usage: { ...truth, ...details } })
        finish(response)
      }
      const response = await serviceOf('vllm').post(question)
      expect(await response.json()).toMatchObject({
        choices: [{ message: { content: 'Yes.', reasoning_content: 'Let me see.' } }],
        usage: { completion_tokens: 4, completion_tokens_details: { reasoning_tokens: 3 } },
      })
    }
  })

  const call = (index: number, members: object) => chunk({ tool_calls: [{ index, ...members }] })
  const reply = async (script: typeof upstream.script, body: object = {}) => {
    upstream.script = script
    const response = await serviceOf('vllm').post({ ...question, tools: [tool], ...body })
    return { status: response.status, body: (await response.json()) as object }
  }

  test('tool calls in pieces, with and without arguments, under ids of ours', async () => {
    const { body } = await reply((response) => {
      open(response)
      send(response, chunk({ content: 'One \ufdd0moment.' }))
      send(response, call(0, { id: 'a', function: { name: 'weather', arguments: '' } }))
      send(response, call(0, { function: { arguments: '{"city": "Par' } }))
      send(response, call(0, { function: { arguments: 'is} \\" {"}' } }))
      send(response, call(1, { id: 'b', function: { name: 'weather', arguments: '' } }))
      send(response, chunk({}, 'tool_calls'))
      finish(response)
    })
    expect(body).toMatchObject({
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: 'One \ufffdmoment.',
            tool_calls: [
              {
                id: expect.stringMatching(/^call_/),
                function: { name: 'weather', arguments: '{"city": "Paris} \\" {"}' },
              },
              { function: { name: 'weather', arguments: '{}' } },
            ],
          },
        },
      ],
    })
  })

  test('a call that max_tokens has cut, with the finish reason length', async () => {
    const { body } = await reply((response) => {
      open(response)
      send(response, call(0, { id: 'a', function: { name: 'weather', arguments: '{"city": "Pa' } }))
      send(response, chunk({}, 'length'))
      finish(response)
    })
    expect(body).toMatchObject({ choices: [{ finish_reason: 'length' }] })
    expect(JSON.stringify(body)).not.toMatch(/[\ufdd0-\ufdd2]/)
  })

  test('a required call that the upstream leaves out is a fault of the engine', async () => {
    const { status } = await reply(say('Hello'), { tool_choice: 'required' })
    expect(status).toBe(500)
  })

  const lies: Record<string, object[]> = {
    'a tool that does not exist': [call(0, { function: { name: 'erase', arguments: '{}' } })],
    'arguments that are no object': [call(0, { function: { name: 'weather', arguments: '[1' } })],
    'a call without an end': [call(0, { function: { name: 'weather', arguments: '{"a"' } })],
    'a finish reason of a call without a call': [chunk({ content: 'Hi' })],
  }
  test.for(Object.entries(lies))('%s is a fault of the engine', async ([, chunks]) => {
    const { status, body } = await reply((response) => {
      open(response)
      for (const each of chunks) send(response, each)
      send(response, chunk({}, 'tool_calls'))
      finish(response)
    })
    expect([status, body]).toMatchObject([500, { error: { code: 'engine_failed' } }])
  })

  test('log-probabilities, cut to the number that was asked for', async () => {
    const top = [
      { token: 'Hi', logprob: -0.1, bytes: [72, 105] },
      { token: 'x', logprob: -9e9 },
    ]
    upstream.script = (response) => {
      open(response)
      const content = [{ token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: top }]
      send(response, chunk({ content: 'Hi' }, null, { logprobs: { content } }))
      send(response, chunk({}, 'stop'))
      finish(response)
    }
    const response = await serviceOf('llama-server').post({
      ...question,
      logprobs: true,
      top_logprobs: 1,
    })
    expect(await response.json()).toMatchObject({
      choices: [
        {
          logprobs: {
            content: [{ token: 'Hi', logprob: -0.1, top_logprobs: [{ token: 'Hi' }] }],
          },
        },
      ],
    })
  })

  test('several choices are several requests, and the prompt is counted once', async () => {
    const response = await serviceOf('vllm').post({ ...question, n: 3, seed: 1 })
    expect(await response.json()).toMatchObject({
      choices: [{ index: 0 }, { index: 1 }, { index: 2 }],
      usage: { prompt_tokens: 11, completion_tokens: 12 },
    })
    expect(new Set(upstream.asked.map(({ body }) => body['seed']))).toEqual(new Set([1, 2, 3]))
    const ids = upstream.asked.map(({ headers }) => headers['x-request-id'])
    expect(new Set(ids).size).toBe(3)
  })
})

describe('the tokens of a prompt', () => {
  test('are counted by an upstream that has a route for it, and bounded otherwise', async () => {
    const count = async (flavour: Flavour) => {
      const path = '/v1/chat/completions/input_tokens'
      const response = await serviceOf(flavour).post(question, { path })
      return ((await response.json()) as { input_tokens: number }).input_tokens
    }
    expect(await count('vllm')).toBe(3000)
    expect(await count('llama-server')).toBe(3000)
    expect(await count('ollama')).toBe(96)
  })

  test('of a prompt beyond the context are left to an upstream without such a route', async () => {
    const long = { messages: [{ role: 'user', content: 'word '.repeat(2000) }] }
    const response = await serviceOf('ollama').post({ ...question, ...long })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ usage: { prompt_tokens: 11 } })
  })

  test('cannot be listed', async () => {
    const response = await serviceOf('vllm').post({ text: 'Hi' }, { path: '/v1/tokenize' })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: 'unsupported_value', param: 'text' } },
    ])
  })
})
