import { fc } from '../../../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { parseChildMessage } from './ipc.ts'

test('messages of a working child are passed on', () => {
  const messages = [
    {
      type: 'loaded',
      model: {
        modelSha256: 'a'.repeat(64),
        slots: 4,
        contextTokens: 512,
        vocabularyTokens: 8192,
        kvBytes: 1,
        availableBytes: 2,
        device: 'CPU',
        isOnGpu: false,
        kernels: 'avx512-vnni',
        ownWeightsShare: 0.5,
        kernelsDifference: undefined,
        sandbox: ['limits', 'seccomp'],
        dialect: {
          reasoning: {
            form: 'tags',
            begin: '<think>',
            end: '</think>',
            close: '</think>',
            answer: { begins: ['<response>'], end: '</response>', tail: '</message>' },
          },
          variables: ['enable_thinking'],
        },
        fingerprint: 'fp_0',
      },
    },
    { type: 'loading', share: 0.25 },
    { type: 'failed', fault: 'model', cause: 'it is empty' },
    {
      type: 'prepared',
      id: 1,
      prompt: { tokens: Int32Array.of(1, 2, 3), replies: Int32Array.of(1, 3) },
    },
    {
      type: 'prepared',
      id: 2,
      prompt: { tokens: Int32Array.of(1), replies: Int32Array.of(), thought: 'open' },
    },
    { type: 'refused', id: 1, reason: 'conversation', message: 'no', path: '' },
    { type: 'refused', id: 1, reason: 'busy', message: 'no', path: '' },
    { type: 'tooLong', id: 1, tokensMin: 5000 },
    { type: 'postponed', id: 1 },
    { type: 'cancelled', id: 1 },
    {
      type: 'step',
      events: [
        { type: 'started', id: 1, cachedTokens: 0 },
        { type: 'delta', id: 1, text: 'a', tokens: 1, sampled: [7] },
        {
          type: 'delta',
          id: 1,
          text: '',
          tokens: 2,
          sampled: [8, 9],
          reasoning: 'b',
          reasoningTokens: 1,
        },
        { type: 'finish', id: 1, reason: 'stop', completionTokens: 1 },
        { type: 'failed', id: 2 },
        { type: 'cannotFit', id: 3, tokensEnough: 14 },
      ],
    },
    { type: 'heartbeat', progress: { progress: 1, slotsBusy: 0 } },
  ]
  for (const message of messages) expect(parseChildMessage(message)).toEqual(message)
})

test('a prompt may have more earlier replies than the conversation has messages', () => {
  // Templates that describe tools but write no calls get the calls of a message as a text of their own.
  const places = Array.from({ length: 2 * 1024 }, (_, index) => index)
  const message = { type: 'prepared', id: 1, prompt: prompt(places, places) }
  expect(parseChildMessage(message)).toEqual(message)
})

const prompt = (tokens: number[], replies: number[]) => ({
  tokens: Int32Array.from(tokens),
  replies: Int32Array.from(replies),
})

test.each([
  ['nothing', undefined],
  ['a text', 'loaded'],
  ['an unknown type', { type: 'exec', id: 1 }],
  ['an id that is no number', { type: 'prepared', id: '1', prompt: prompt([1], []) }],
  ['no prompt', { type: 'prepared', id: 1 }],
  ['no length', { type: 'tooLong', id: 1 }],
  ['no id', { type: 'cancelled' }],
  [
    'tokens that are a list',
    { type: 'prepared', id: 1, prompt: { ...prompt([], []), tokens: [1] } },
  ],
  ['a reply without an end', { type: 'prepared', id: 1, prompt: prompt([1, 2], [0]) }],
  [
    'a reply that ends before it begins',
    { type: 'prepared', id: 1, prompt: prompt([1, 2], [1, 0]) },
  ],
  ['a reply beyond the prompt', { type: 'prepared', id: 1, prompt: prompt([1, 2], [1, 3]) }],
  ['a negative count', { type: 'step', events: [{ type: 'started', id: 1, cachedTokens: -1 }] }],
  [
    'another number of tokens than it lists',
    { type: 'step', events: [{ type: 'delta', id: 1, text: '', tokens: 2, sampled: [7] }] },
  ],
  [
    'a token that is no number',
    { type: 'step', events: [{ type: 'delta', id: 1, text: '', tokens: 1, sampled: ['7'] }] },
  ],
  ['a text that is too long', { type: 'failed', fault: 'model', cause: 'x'.repeat(2001) }],
  [
    'too many events',
    { type: 'step', events: Array.from({ length: 1025 }, () => ({ type: 'failed', id: 1 })) },
  ],
  [
    'an unknown finish reason',
    { type: 'step', events: [{ type: 'finish', id: 1, reason: 'bored', completionTokens: 1 }] },
  ],
  ['one bad event among good ones', { type: 'step', events: [{ type: 'failed', id: 1 }, null] }],
])('%s is no message', (_, value) => {
  expect(parseChildMessage(value)).toBeUndefined()
})

test('unknown fields are dropped', () => {
  const parsed = parseChildMessage({
    type: 'failed',
    fault: 'model',
    cause: 'x',
    extra: 1,
    __proto__: { a: 1 },
  })
  expect(Object.keys(parsed ?? {})).toEqual(['type', 'fault', 'cause'])
})

test('no input makes the parser throw', () => {
  fc.assert(fc.property(fc.anything(), (value) => void parseChildMessage(value)))
})
