import { expect, test } from 'vitest'
import { toChunks, toFirstChunk } from './to-chunk.ts'

const head = { id: 'chatcmpl-1', created: 1, model: 'svc-o1-mini', system_fingerprint: 'fp' }
const frame = { head, includeUsage: false }
const logprobs = [{ text: 'Hi', bytes: [72, 105], logprob: -0.5, top: [] }]

test('the first chunk of a choice names its role', () => {
  expect(toFirstChunk(frame, 1)).toEqual({
    ...head,
    object: 'chat.completion.chunk',
    choices: [
      { index: 1, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null },
    ],
  })
})

test('a delta is one chunk with its text', () => {
  const chunks = toChunks(frame, { type: 'delta', index: 0, text: 'Hi' })
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([{ content: 'Hi' }])
})

test('text and each piece of a call have a chunk of their own, the first with the logprobs', () => {
  const chunks = toChunks(frame, {
    type: 'delta',
    index: 0,
    text: 'Hi',
    logprobs,
    calls: [
      { type: 'call', call: 0, name: 'look_up' },
      { type: 'arguments', call: 0, text: '{}' },
    ],
  })
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
    { content: 'Hi' },
    {
      tool_calls: [
        {
          index: 0,
          id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
          type: 'function',
          function: { name: 'look_up', arguments: '' },
        },
      ],
    },
    { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
  ])
  expect(chunks.map(({ choices }) => choices[0]?.logprobs === null)).toEqual([false, true, true])
})

test('a delta that is a call only has no empty text', () => {
  const calls = [{ type: 'arguments', call: 0, text: '{' }] as const
  const chunks = toChunks(frame, { type: 'delta', index: 0, text: '', calls })
  expect(chunks.map(({ choices }) => Object.keys(choices[0]?.delta ?? {}))).toEqual([
    ['tool_calls'],
  ])
})

test('usage is a chunk only where it was asked for; the other chunks then have null', () => {
  const usage = { promptTokens: 2, cachedTokens: 0, completionTokens: 1 }
  expect(toChunks(frame, { type: 'usage', usage })).toEqual([])
  const asked = { head, includeUsage: true }
  expect(toChunks(asked, { type: 'usage', usage })).toMatchObject([
    { choices: [], usage: { total_tokens: 3 } },
  ])
  const [finish] = toChunks(asked, { type: 'finish', index: 0, reason: 'length' })
  expect(finish).toMatchObject({ choices: [{ delta: {}, finish_reason: 'length' }], usage: null })
})
