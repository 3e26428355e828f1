import { expect, test } from 'vitest'
import { ChatCompletionRequest } from '../../../src/protocol/chat/chat-request.ts'
import { defaultSettings, numberSettings, parseSettings, type Settings } from './settings.ts'

const parse = (settings: Partial<Settings>, completionTokensMax?: number) =>
  parseSettings({ ...defaultSettings, ...settings }, numberSettings(completionTokensMax))

test('every parameter that changes a reply has a setting, except thoughts and other names', () => {
  const elsewhere =
    'model messages stream stream_options max_completion_tokens parallel_tool_calls ' +
    'enable_thinking reasoning_effort thinking_token_budget thinking_budget thinking_budget_tokens chat_template_kwargs ' +
    'complete_json guided_choice guided_json json_schema max_new_tokens n_predict num_predict stop_token_ids ' +
    'structured_outputs user metadata store service_tier safety_identifier prompt_cache_key'
  const { format: _, schema: __, ...own } = defaultSettings
  expect(Object.keys(ChatCompletionRequest.properties).toSorted()).toEqual(
    [...Object.keys(own), 'logprobs', 'response_format', ...elsewhere.split(' ')].toSorted(),
  )
})

test('empty settings are not sent', () => {
  expect(parse({})).toEqual({ parameters: {}, faults: {} })
})

test('settings are converted to request parameters', () => {
  expect(
    parse({
      temperature: '0,5',
      max_tokens: ' 64 ',
      seed: '-1',
      top_logprobs: '0',
      stop: 'END\n\\n\\n\n\\\\n',
      logit_bias: '{"12": -100}',
      format: 'json_schema',
      schema: '{"type": "object"}',
    }),
  ).toEqual({
    parameters: {
      temperature: 0.5,
      max_tokens: 64,
      seed: -1,
      logprobs: true,
      top_logprobs: 0,
      stop: ['END', '\n\n', '\\n'],
      logit_bias: { 12: -100 },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'reply', schema: { type: 'object' } },
      },
    },
    faults: {},
  })
})

test('invalid settings have a message and are not sent', () => {
  const { parameters, faults } = parse({
    temperature: '1.5',
    max_tokens: '1,000',
    n: '0x2',
    stop: 'a\nb\nc\nd\ne',
    logit_bias: '{"the": 1}',
    format: 'json_schema',
    schema: '{',
    seed: '99999999999999999999',
  })
  expect(parameters).toEqual({})
  expect(faults).toEqual({
    temperature: 'Temperature must be a number from 0 to 1.',
    max_tokens: 'Max tokens must be a whole number from 1 to 2048.',
    n: 'Replies must be a whole number from 1 to 4.',
    stop: 'Enter at most 4 stop sequences, one per line.',
    logit_bias: '“the” is not a token ID. Enter a number.',
    schema: expect.stringMatching(/^Incomplete JSON/),
    seed: 'Seed must be a whole number.',
  })
})

test('Max tokens has the maximum of the service, which is the default too if it is raised', () => {
  expect(parse({ max_tokens: '4096' }, 8192)).toEqual({
    parameters: { max_tokens: 4096 },
    faults: {},
  })
  expect(parse({ max_tokens: '8193' }, 8192).faults).toEqual({
    max_tokens: 'Max tokens must be a whole number from 1 to 8192.',
  })
  const defaultWith = (completionTokensMax: number) =>
    numberSettings(completionTokensMax).find(({ name }) => name === 'max_tokens')?.default
  expect([defaultWith(2048), defaultWith(8192)]).toEqual([256, 8192])
})
