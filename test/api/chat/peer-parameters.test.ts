import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** Parameters that change a reply in another product's API, each with such a value. Thinking has its own tests. */
const peers: Record<string, object> = {
  OpenAI: {
    audio: { voice: 'alloy', format: 'mp3' },
    functions: [{ name: 'f' }],
    function_call: { name: 'f' },
    modalities: ['text', 'audio'],
    prediction: { type: 'content', content: 'x' },
    verbosity: 'low',
    web_search_options: {},
    best_of: 2,
    echo: true,
    suffix: 'x',
    max_output_tokens: 5,
  },
  vLLM: {
    use_beam_search: true,
    repetition_penalty: 1.1,
    length_penalty: 2,
    include_stop_str_in_output: true,
    ignore_eos: true,
    min_tokens: 5,
    skip_special_tokens: false,
    truncate_prompt_tokens: 10,
    prompt_logprobs: 1,
    logprob_token_ids: [1],
    allowed_token_ids: [1],
    bad_words: ['x'],
    watermarking: true,
    echo: true,
    add_generation_prompt: false,
    continue_final_message: true,
    add_special_tokens: true,
    documents: [{ title: 'a', text: 'b' }],
    chat_template: '{{ messages }}',
    guided_regex: 'a+',
    guided_grammar: 'root ::= "a"',
    return_tokens_as_token_ids: true,
    vllm_xargs: { a: 1 },
    repetition_detection: { max_pattern_size: 3 },
    logits_processors: ['x'],
    structured_outputs: { regex: 'a+' },
  },
  SGLang: {
    regex: 'a+',
    ebnf: 'root ::= "a"',
    structural_tag: '{}',
    stop_regex: 'a+',
    no_stop_trim: true,
    min_new_tokens: 3,
    lora_path: 'x',
    session_params: { id: 'x' },
    custom_logit_processor: 'x',
    custom_params: { a: 1 },
    input_ids: [1],
    sampling_params: { temperature: 0 },
    sampling_seed: 1,
  },
  'llama-server': {
    repeat_penalty: 1.1,
    repeat_last_n: 64,
    dry_multiplier: 0.8,
    xtc_probability: 0.5,
    typical_p: 0.9,
    top_n_sigma: 1,
    dynatemp_range: 0.5,
    mirostat: 2,
    adaptive_target: 0.5,
    samplers: ['top_k'],
    min_keep: 5,
    n_indent: 4,
    n_cmpl: 2,
    n_probs: 5,
    post_sampling_probs: true,
    t_max_predict_ms: 100,
    grammar: 'root ::= "a"',
    lora: [{ id: 0, scale: 0.5 }],
    parse_tool_calls: false,
  },
  Ollama: {
    options: { temperature: 0 },
    format: 'json',
    num_ctx: 8192,
    template: 'x',
    system: 'x',
    raw: true,
    tfs_z: 0.9,
    penalize_newline: true,
    images: ['x'],
    context: [1],
    truncate: true,
    shift: true,
  },
  'LM Studio': { context_length: 4096, repeat_penalty: 1.2 },
  OpenRouter: { top_a: 0.5, transforms: ['middle-out'], plugins: [{ id: 'web' }], preset: 'x' },
  'Text Generation Inference': {
    do_sample: false,
    return_full_text: true,
    watermark: true,
    tool_prompt: 'x',
    guideline: 'x',
    adapter_id: 'x',
    top_n_tokens: 2,
    parameters: { seed: 1 },
  },
  others: {
    random_seed: 1,
    safe_prompt: true,
    context_length_exceeded_behavior: 'truncate',
    prompt_truncate_len: 100,
    enable_search: true,
    guidance_scale: 2,
    negative_prompt: 'x',
    no_repeat_ngram_size: 2,
    smoothing_factor: 0.5,
    tfs: 0.9,
    stop_sequences: ['x'],
    max_tokens_to_sample: 5,
    num_beams: 2,
    ban_eos_token: true,
  },
}

describe('a parameter of another service that would change the reply is refused by name', () => {
  test.each(Object.entries(peers))('%s', async (_, parameters) => {
    for (const [name, value] of Object.entries(parameters)) {
      const response = await service.post({ ...question, [name]: value })
      const { error } = (await response.json()) as { error?: { code: string; param: string } }
      expect([name, response.status, error?.code]).toEqual([name, 400, 'unsupported_parameter'])
      expect(error?.param.split('.')[0]).toBe(name)
    }
  })
})

test('what cannot change the reply is ignored and named', async () => {
  const others = { keep_alive: '5m', cache_prompt: true, priority: 1, ttl: 60, num_thread: 4 }
  const response = await service.post({ ...question, ...others, mirostat_tau: 5, id_slot: 0 })
  expect([response.status, response.headers.get('x-ignored-parameters')]).toEqual([
    200,
    'keep_alive, cache_prompt, priority, ttl, num_thread, mirostat_tau, id_slot',
  ])
})

type Reply = { choices: { message: { content: string } }[]; usage: { completion_tokens: number } }
const complete = async (body: object) => {
  const response = await service.post({ ...question, ...body })
  expect([body, response.status]).toEqual([body, 200])
  return (await response.json()) as Reply
}

test('`top_k` -1 turns it off, as with vLLM and SGLang', async () => {
  const of = async (top_k: number) => (await complete({ top_k, seed: 1 })).choices
  expect(await of(-1)).toEqual(await of(0))
})

test('`seed` -1 draws one, as with llama-server and vLLM', async () => {
  const of = async (seed: number) => (await complete({ seed, temperature: 1 })).choices
  expect(await of(-1)).not.toEqual(await of(-1))
  expect(await of(-2)).toEqual(await of(-2))
})

describe('other names of parameters that work', () => {
  test.each(['max_completion_tokens', 'max_new_tokens', 'n_predict', 'num_predict'])(
    '%s is max_tokens',
    async (alias) => {
      expect((await complete({ [alias]: 2 })).usage.completion_tokens).toBe(2)
      expect((await complete({ [alias]: 2, max_tokens: 2 })).usage.completion_tokens).toBe(2)
      const unequal = await service.post({ ...question, [alias]: 2, max_tokens: 3 })
      expect([unequal.status, await unequal.json()]).toMatchObject([
        400,
        { error: { code: 'invalid_value', param: alias } },
      ])
    },
  )

  const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }
  test.each([
    { guided_json: schema },
    { guided_json: JSON.stringify(schema) },
    { json_schema: schema },
    { structured_outputs: { json: schema } },
    { structured_outputs: { json: JSON.stringify(schema) } },
  ])('%j is a JSON Schema for the reply', async (body) => {
    const { content } = (await complete(body)).choices[0]!.message
    expect(JSON.parse(content)).toEqual({ a: expect.any(Number) })
  })

  test.each([
    { guided_choice: ['rock', 'paper'] },
    { structured_outputs: { choice: ['rock', 'paper'] } },
  ])('%j lets the reply be one of these texts', async (body) => {
    expect(['rock', 'paper']).toContain((await complete(body)).choices[0]?.message.content)
  })

  test('structured_outputs.json_object asks for an object', async () => {
    const { choices } = await complete({ structured_outputs: { json_object: true } })
    expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual(expect.any(Object))
  })

  test.each([
    [{ guided_json: '{' }, 'guided_json'],
    [{ guided_json: '3' }, 'guided_json'],
    [{ guided_json: schema, response_format: { type: 'json_object' } }, 'guided_json'],
    [{ guided_json: schema, guided_choice: ['a'] }, 'guided_choice'],
    [{ guided_choice: [''] }, 'guided_choice[0]'],
    [{ guided_choice: ['a', '\ud83d'] }, 'guided_choice'],
    [{ structured_outputs: { choice: ['\udc26'] } }, 'structured_outputs.choice'],
    [
      {
        guided_choice: ['a', '<tool_call>x'],
        tools: [{ type: 'function', function: { name: 'f' } }],
      },
      'guided_choice[1]',
    ],
    [{ stop_token_ids: [99_999_999] }, 'stop_token_ids'],
    [{ structured_outputs: { json: schema, choice: ['a'] } }, 'structured_outputs.choice'],
  ])('%j is refused', async (body, param) => {
    const response = await service.post({ ...question, ...body })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_value', param } },
    ])
  })

  test('a schema that cannot be enforced is refused with its path under its own name', async () => {
    const guided_json = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string', pattern: String.raw`(a)\1` } },
    }
    const response = await service.post({ ...question, guided_json })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: 'unsupported_value', param: expect.stringMatching(/^guided_json\./) } },
    ])
  })
})

describe('unknown names inside of parameters', () => {
  test('are named with their path, each once, and null is no value', async () => {
    const body = {
      messages: [
        { role: 'system', content: 'Be brief.', name: 'app', refusal: null },
        { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: {} }], name: 'ada' },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {}, foo: 1 } },
      stream_options: { bar: 1 },
      metadata: { any: 'name' },
      logit_bias: { 1: 0 },
    }
    const response = await service.post({ ...question, ...body })
    expect([response.status, response.headers.get('x-ignored-parameters')]).toEqual([
      200,
      'messages[0].name, messages[1].content[0].cache_control, response_format.json_schema.foo, stream_options.bar',
    ])
    const receipt = await service.request(`/v1/requests/${response.headers.get('x-request-id')}`)
    expect(await receipt.json()).toMatchObject({
      ignored_parameters: expect.arrayContaining(['messages[0].name', 'stream_options.bar']),
    })
  })

  test('of tools are named, and `strict` and the members of a schema are not', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, 'x-own': 1 }
    const tool = { name: 'f', strict: true, parameters, returns: 'x' }
    const tools = [{ type: 'function', function: tool, cache_control: {} }]
    const response = await service.post({ ...question, tools })
    expect(response.headers.get('x-ignored-parameters')).toBe(
      'tools[0].function.returns, tools[0].cache_control',
    )
  })

  test('are listed on replies, not on errors, as the OpenAPI document says', async () => {
    const messages = [{ role: 'user', content: 'Hello '.repeat(20_000) }]
    const response = await service.post({ ...question, messages, foo: 1 })
    expect(await response.json()).toMatchObject({ error: { code: 'context_length_exceeded' } })
    expect(response.headers.has('x-ignored-parameters')).toBe(false)
  })

  test('fill at most 20 places of at most 96 characters (T13)', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`x${index}`.padEnd(500, 'x'), 1]),
    )
    const messages = [{ role: 'user', content: 'Hi', ...many }]
    const response = await service.post({ ...question, messages })
    const names = response.headers.get('x-ignored-parameters')?.split(', ') ?? []
    expect([names.length, Math.max(...names.map((name) => name.length))]).toEqual([20, 96])
  })
})
