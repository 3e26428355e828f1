import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../../src/errors.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ environment: { PIPIT_CONTEXT_TOKENS: '4096' } })
})
afterAll(() => service.close())

type Row = [name: string, body: unknown, status: number, code: string, param: string | null]

const message = { role: 'user', content: 'Hi' }
const image = { type: 'image_url', image_url: { url: 'data:' } }
const withMessage = (changed: object) => ({ ...question, messages: [{ ...message, ...changed }] })
const without = (field: 'model' | 'messages') => {
  const { [field]: _, ...rest } = question
  return rest
}

// Interface §4.1 and §8 give the bounds; docs/api.md gives status, code and path.
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
const toolOf = (changed: object) => ({ type: 'function', function: { name: 'f', ...changed } })
const tool = toolOf({})
const jsonSchema = (schema: unknown) => ({
  type: 'json_schema',
  json_schema: { name: 'a', schema },
})
const nested = (levels: number): object =>
  levels === 0 ? {} : { properties: { a: nested(levels - 1) } }

const rows: Row[] = [
  ['broken JSON', '{"model":', 400, 'invalid_json', null],
  ['an empty body', '', 400, 'invalid_json', null],
  ['an array', '[]', 400, 'invalid_json', null],
  ['a text', '"hello"', 400, 'invalid_json', null],
  ['null', 'null', 400, 'invalid_json', null],
  ['a poisoned prototype', '{"__proto__":{"a":1}}', 400, 'invalid_json', null],
  ['too deep', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 400, 'invalid_json', null],
  ['no model', without('model'), 400, 'missing_required_parameter', 'model'],
  ['no messages', without('messages'), 400, 'missing_required_parameter', 'messages'],
  [
    'no role',
    { ...question, messages: [{ content: 'Hi' }] },
    400,
    'missing_required_parameter',
    'messages[0].role',
  ],
  [
    'no content',
    { ...question, messages: [message, { role: 'user' }] },
    400,
    'missing_required_parameter',
    'messages[1].content',
  ],
  ['no messages in the list', { ...question, messages: [] }, 400, 'empty_array', 'messages'],
  [
    'too many messages',
    { ...question, messages: Array(513).fill(message) },
    400,
    'array_above_max_length',
    'messages',
  ],
  ['a model of another type', { ...question, model: 1 }, 400, 'invalid_type', 'model'],
  ['a null model', { ...question, model: null }, 400, 'invalid_type', 'model'],
  ['messages of another type', { ...question, messages: 'Hi' }, 400, 'invalid_type', 'messages'],
  ['null messages', { ...question, messages: null }, 400, 'invalid_type', 'messages'],
  [
    'a message of another type',
    { ...question, messages: ['Hi'] },
    400,
    'invalid_type',
    'messages[0]',
  ],
  [
    'content of another type',
    withMessage({ content: 5 }),
    400,
    'invalid_type',
    'messages[0].content',
  ],
  ['null content', withMessage({ content: null }), 400, 'invalid_type', 'messages[0].content'],
  [
    'a part of another type',
    withMessage({ content: ['Hi'] }),
    400,
    'invalid_type',
    'messages[0].content[0]',
  ],
  [
    'a part whose text is none',
    withMessage({ content: [{ type: 'text', text: 1 }] }),
    400,
    'invalid_type',
    'messages[0].content[0].text',
  ],
  [
    'a part without text',
    withMessage({ content: [{ type: 'text' }] }),
    400,
    'missing_required_parameter',
    'messages[0].content[0].text',
  ],
  [
    'an image',
    withMessage({ content: [image] }),
    400,
    'invalid_value',
    'messages[0].content[0].type',
  ],
  ['an unknown role', withMessage({ role: 'robot' }), 400, 'invalid_value', 'messages[0].role'],
  [
    'a tool that answers nothing',
    withMessage({ role: 'tool' }),
    400,
    'missing_required_parameter',
    'messages[0].tool_call_id',
  ],
  [
    'a tool that answers a call which nobody made',
    withMessage({ role: 'tool', tool_call_id: 'call_1' }),
    400,
    'invalid_value',
    'messages[0].tool_call_id',
  ],
  [
    'an answer to a call of a user',
    withMessage({ tool_call_id: 'call_1' }),
    400,
    'invalid_value',
    'messages[0].tool_call_id',
  ],
  [
    'calls of a user',
    withMessage({ tool_calls: [call] }),
    400,
    'invalid_value',
    'messages[0].tool_calls',
  ],
  [
    'two calls of one id',
    withMessage({ role: 'assistant', tool_calls: [call, call] }),
    400,
    'invalid_value',
    'messages[0].tool_calls',
  ],
  [
    'an assistant without content and calls',
    withMessage({ role: 'assistant', content: null, tool_calls: [] }),
    400,
    'invalid_type',
    'messages[0].content',
  ],
  ...['{', '[]', '3', ''].map((text): Row => [
    `a call with the arguments ${text}`,
    withMessage({
      role: 'assistant',
      tool_calls: [{ ...call, function: { name: 'f', arguments: text } }],
    }),
    400,
    'invalid_value',
    'messages[0].tool_calls[0].function.arguments',
  ]),
  ...(
    [
      ['not a list', { tools: {} }, 'invalid_type', 'tools'],
      [
        'without a function',
        { tools: [{ type: 'function' }] },
        'missing_required_parameter',
        'tools[0].function',
      ],
      ['of another type', { tools: [{ ...tool, type: 'web' }] }, 'invalid_value', 'tools[0].type'],
      [
        'without a name',
        { tools: [toolOf({ name: undefined })] },
        'missing_required_parameter',
        'tools[0].function.name',
      ],
      [
        'with a space in its name',
        { tools: [toolOf({ name: 'a b' })] },
        'invalid_value',
        'tools[0].function.name',
      ],
      [
        'with a long name',
        { tools: [toolOf({ name: 'a'.repeat(65) })] },
        'invalid_value',
        'tools[0].function.name',
      ],
      ['of the same name', { tools: [tool, tool] }, 'invalid_value', 'tools[1].function.name'],
      [
        'too many',
        { tools: Array.from({ length: 129 }, (_, i) => toolOf({ name: `f${i}` })) },
        'array_above_max_length',
        'tools',
      ],
      [
        'with a keyword',
        { tools: [tool, toolOf({ name: 'g', parameters: { not: {} } })] },
        'unsupported_value',
        'tools[1].function.parameters.not',
      ],
      [
        'without a possible object',
        { tools: [toolOf({ parameters: { type: 'string' } })] },
        'unsupported_value',
        'tools[0].function.parameters',
      ],
      [
        'of nearly 1 MiB',
        { tools: [toolOf({ parameters: { const: 'x'.repeat(1e6) } })] },
        'unsupported_value',
        'tools',
      ],
      ['none, and one required', { tool_choice: 'required' }, 'invalid_value', 'tool_choice'],
      ['and another choice', { tools: [tool], tool_choice: 'any' }, 'invalid_value', 'tool_choice'],
      [
        'and a choice of none of them',
        { tools: [tool], tool_choice: { type: 'function', function: { name: 'g' } } },
        'invalid_value',
        'tool_choice',
      ],
      [
        'and a schema of the reply',
        { tools: [tool], response_format: { type: 'json_object' } },
        'unsupported_value',
        'response_format',
      ],
    ] as [string, object, string, string][]
  ).map(([name, more, code, param]): Row => [
    `tools ${name}`,
    { ...question, ...more },
    400,
    code,
    param,
  ]),
  ['a role of another type', withMessage({ role: 1 }), 400, 'invalid_type', 'messages[0].role'],
  [
    'max_tokens 2049',
    { ...question, max_tokens: 2049 },
    400,
    'integer_above_max_value',
    'max_tokens',
  ],
  ['max_tokens 0', { ...question, max_tokens: 0 }, 400, 'integer_below_min_value', 'max_tokens'],
  ['max_tokens -1', { ...question, max_tokens: -1 }, 400, 'integer_below_min_value', 'max_tokens'],
  ['max_tokens 1.5', { ...question, max_tokens: 1.5 }, 400, 'invalid_type', 'max_tokens'],
  ['max_tokens as text', { ...question, max_tokens: '10' }, 400, 'invalid_type', 'max_tokens'],
  [
    'max_tokens 1e999',
    '{"model":"svc-o1-mini","messages":[{"role":"user","content":"Hi"}],"max_tokens":1e999}',
    400,
    'invalid_type',
    'max_tokens',
  ],
  [
    'max_completion_tokens 2049',
    { ...question, max_completion_tokens: 2049 },
    400,
    'integer_above_max_value',
    'max_completion_tokens',
  ],
  [
    'two limits',
    { ...question, max_tokens: 1, max_completion_tokens: 2 },
    400,
    'invalid_value',
    'max_completion_tokens',
  ],
  [
    'temperature 1.01',
    { ...question, temperature: 1.01 },
    400,
    'decimal_above_max_value',
    'temperature',
  ],
  ['temperature 2', { ...question, temperature: 2 }, 400, 'decimal_above_max_value', 'temperature'],
  [
    'temperature -0.1',
    { ...question, temperature: -0.1 },
    400,
    'decimal_below_min_value',
    'temperature',
  ],
  ['temperature as text', { ...question, temperature: '0.7' }, 400, 'invalid_type', 'temperature'],
  ['stream as text', { ...question, stream: 'true' }, 400, 'invalid_type', 'stream'],
  ['stream as number', { ...question, stream: 1 }, 400, 'invalid_type', 'stream'],
  ['top_p 1.1', { ...question, top_p: 1.1 }, 400, 'decimal_above_max_value', 'top_p'],
  [
    'five stops',
    { ...question, stop: ['a', 'b', 'c', 'd', 'e'] },
    400,
    'array_above_max_length',
    'stop',
  ],
  ['an empty stop', { ...question, stop: '' }, 400, 'invalid_value', 'stop'],
  ['a stop of another type', { ...question, stop: [1] }, 400, 'invalid_type', 'stop[0]'],
  ['a seed that is no integer', { ...question, seed: 0.5 }, 400, 'invalid_type', 'seed'],
  [
    'stream_options of another type',
    { ...question, stream_options: true },
    400,
    'invalid_type',
    'stream_options',
  ],
  [
    'include_usage of another type',
    { ...question, stream_options: { include_usage: 'yes' } },
    400,
    'invalid_type',
    'stream_options.include_usage',
  ],
  ['n 5', { ...question, n: 5 }, 400, 'integer_above_max_value', 'n'],
  ['n 1000000', { ...question, n: 1_000_000 }, 400, 'integer_above_max_value', 'n'],
  ['n 0', { ...question, n: 0 }, 400, 'integer_below_min_value', 'n'],
  ['n 1.5', { ...question, n: 1.5 }, 400, 'invalid_type', 'n'],
  [
    'presence_penalty 2.1',
    { ...question, presence_penalty: 2.1 },
    400,
    'decimal_above_max_value',
    'presence_penalty',
  ],
  [
    'frequency_penalty -3',
    { ...question, frequency_penalty: -3 },
    400,
    'decimal_below_min_value',
    'frequency_penalty',
  ],
  [
    'top_logprobs 21',
    { ...question, logprobs: true, top_logprobs: 21 },
    400,
    'integer_above_max_value',
    'top_logprobs',
  ],
  ['top_logprobs alone', { ...question, top_logprobs: 3 }, 400, 'invalid_value', 'top_logprobs'],
  ['logprobs of text', { ...question, logprobs: 'yes' }, 400, 'invalid_type', 'logprobs'],
  [
    'a bias of 101',
    { ...question, logit_bias: { 50: 101 } },
    400,
    'decimal_above_max_value',
    'logit_bias.50',
  ],
  [
    'a bias of text',
    { ...question, logit_bias: { 50: '1' } },
    400,
    'invalid_type',
    'logit_bias.50',
  ],
  [
    'a bias for a word',
    { ...question, logit_bias: { cat: 1 } },
    400,
    'invalid_value',
    'logit_bias',
  ],
  [
    'a bias for a token that the model does not have',
    { ...question, logit_bias: { 50: 1, 8192: -1 } },
    400,
    'invalid_value',
    'logit_bias',
  ],
  [
    'too many biases',
    {
      ...question,
      logit_bias: Object.fromEntries(Array.from({ length: 1025 }, (_, id) => [id, 1])),
    },
    400,
    'array_above_max_length',
    'logit_bias',
  ],
  [
    'metadata that is no text',
    { ...question, metadata: { a: 1 } },
    400,
    'invalid_type',
    'metadata.a',
  ],
  [
    'metadata that is too long',
    { ...question, metadata: { a: 'x'.repeat(513) } },
    400,
    'string_above_max_length',
    'metadata.a',
  ],
  [
    'a name in metadata that is too long',
    { ...question, metadata: { ['x'.repeat(65)]: 'a' } },
    400,
    'string_above_max_length',
    'metadata',
  ],
  ['another model', { ...question, model: 'gpt-4o-mini' }, 404, 'model_not_found', 'model'],
  [
    'a path as a model',
    { ...question, model: '../../etc/passwd' },
    404,
    'model_not_found',
    'model',
  ],
  [
    'the model in other letters',
    { ...question, model: 'SVC-O1-MINI' },
    404,
    'model_not_found',
    'model',
  ],
  [
    'a prompt that does not fit',
    { ...question, messages: [{ role: 'user', content: 'word '.repeat(5000) }] },
    400,
    'context_length_exceeded',
    'messages',
  ],
  ...(
    [
      ['no type', {}, 'missing_required_parameter', '.type'],
      ['another type', { type: 'xml' }, 'invalid_value', '.type'],
      ['no schema', { type: 'json_schema' }, 'missing_required_parameter', '.json_schema'],
      [
        'a schema without a name',
        { type: 'json_schema', json_schema: { schema: {} } },
        'missing_required_parameter',
        '.json_schema.name',
      ],
      [
        'a name with a space',
        { type: 'json_schema', json_schema: { name: 'a b', schema: {} } },
        'invalid_value',
        '.json_schema.name',
      ],
      ['a keyword', jsonSchema({ properties: { a: { if: true } } }), '', '.properties.a.if'],
      ['100,000 values', jsonSchema({ enum: Array.from({ length: 1e5 }, (_, i) => i) }), '', ''],
      ['2,000 values', jsonSchema({ enum: Array.from({ length: 2e3 }, (_, i) => i) }), '', '.enum'],
      ['a schema of nearly 1 MiB', jsonSchema({ const: 'x'.repeat(1_000_000) }), '', ''],
      ['endless recursion', jsonSchema({ $ref: '#' }), '', ''],
      ['no value at all', jsonSchema(false), '', ''],
      [
        'a keyword beside json_object',
        { type: 'json_object', schema: { properties: { a: { if: true } } } },
        'unsupported_value',
        '.schema.properties.a.if',
      ],
      ['a schema beside text', { type: 'text', schema: {} }, 'invalid_value', '.schema'],
      [
        'a named schema beside json_object',
        { type: 'json_object', json_schema: { name: 'a', schema: {} } },
        'invalid_value',
        '.json_schema',
      ],
      ['deep nesting', jsonSchema(nested(100)), 'invalid_json', undefined],
    ] as [string, unknown, string, string | undefined][]
  ).map(([name, format, code, path]): Row => [
    `response_format: ${name}`,
    { ...question, response_format: format },
    400,
    code || 'unsupported_value',
    path === undefined ? null : `response_format${code === '' ? '.json_schema.schema' : ''}${path}`,
  ]),
  // What a later capability brings is refused by name until it lands.
  ...Object.entries({
    functions: [{ name: 'f' }],
    function_call: 'f',
    modalities: ['audio'],
    audio: { voice: 'x' },
    web_search_options: {},
    reasoning_effort: 'high',
    prediction: { type: 'content' },
  }).map(([name, value]): Row => [
    `unsupported ${name}`,
    { ...question, [name]: value },
    400,
    'unsupported_parameter',
    name,
  ]),
]

describe('bad input gets its row of the table, and nothing is generated or reserved', () => {
  test.each(rows)('%s', async (_name, body, status, code, param) => {
    for (const path of ['/v1/chat/completions', '/v1/chat']) {
      const response = await service.post(body, { path })
      const { error } = (await response.json()) as { error: Record<string, unknown> }
      expect([response.status, error['code'], error['param']]).toEqual([status, code, param])
      expect(Object.keys(error).toSorted()).toEqual(['code', 'message', 'param', 'type'])
      expect(error['message']).toMatch(/\S.{10,}/)
    }
  })

  test('afterwards no token is on the ledger and the service answers', async () => {
    for (const row of service.ledgerRows())
      expect(row).toMatchObject({ outcome: 'refused', prompt_tokens: 0, completion_tokens: 0 })
    expect((await service.post({ ...question, max_tokens: 2048 })).status).toBe(200)
  })
})

describe('before the body', () => {
  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=utf-8', 200],
  ])('content type %s gets %i', async (contentType, status) => {
    const response = await service.post(JSON.stringify(question), {
      headers: { 'content-type': contentType },
    })
    expect(response.status).toBe(status)
  })

  test('a body of 2 MB is refused, announced or chunked', async () => {
    const body = { ...question, messages: [{ role: 'user', content: 'x'.repeat(2_000_000) }] }
    const announced = await service.post(body)
    expect([announced.status, ((await announced.json()) as { error: object }).error]).toMatchObject(
      [413, { code: 'request_too_large' }],
    )
    const chunked = await service
      .request('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new Blob([JSON.stringify(body)]).stream(),
        duplex: 'half',
      } as RequestInit)
      .then((response) => response.status)
    expect(chunked).toBe(413)
  })

  test('a path that cannot be read, or is too long, is answered like any other', async () => {
    const cases: [string, number, string][] = [
      ['/v1/models/%zz', 400, 'bad_request'],
      ['/v1/requests/%F0', 400, 'bad_request'],
      [`/v1/models/${'a'.repeat(300)}`, 404, 'unknown_url'],
    ]
    for (const [path, status, code] of cases) {
      const response = await service.request(path)
      expect([response.status, await response.json()]).toEqual([
        status,
        {
          error: { message: expect.any(String), type: 'invalid_request_error', param: null, code },
        },
      ])
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
      expect(response.headers.get('x-processing-ms')).toMatch(/^\d+$/)
    }
  })

  test('another method is 405 with Allow; another path is 404', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await service.request('/v1/chat/completions', { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
      expect(await response.json()).toMatchObject({ error: { code: 'method_not_supported' } })
    }
    expect((await service.post({}, { path: '/v1/models' })).headers.get('allow')).toBe('GET, HEAD')
    for (const path of [
      '/',
      '/v1',
      '/v1/completions',
      '/v1/chat/completions/',
      '/V1/CHAT/COMPLETIONS',
    ]) {
      const response = await service.post('not json', {
        path,
        headers: { 'content-type': 'text/plain' },
      })
      expect([path, response.status]).toEqual([path, 404])
      expect(await response.json()).toMatchObject({ error: { code: 'unknown_url', param: null } })
    }
  })
})

test('docs/api.md lists every error of the catalogue, with its status and type', () => {
  const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\|[^|]*\| (\d{3}) \| (\w+) \| (\w+) \|$/gm)].map(
    ([, status, type, code]) => [code, { status: Number(status), type }],
  )
  expect(Object.fromEntries(documented)).toEqual(errorCatalogue)
})
