import { expect, test } from 'vitest'
import type { ToolCallEvent } from '../../completions/tool-call-reader.ts'
import { wholeCompletion } from './whole-completion.ts'

const head = { id: 'chatcmpl-1', created: 1, model: 'svc-o1-mini', fingerprint: 'fp' }
const usage = { promptTokens: 2, cachedTokens: 0, completionTokens: 3 }

async function* from(...events: ToolCallEvent[]) {
  yield* events
}

test('the deltas of each choice are joined in order', async () => {
  const events = from(
    { type: 'delta', index: 0, text: 'Hel' },
    { type: 'delta', index: 1, text: 'Good' },
    { type: 'delta', index: 0, text: 'lo' },
    { type: 'finish', index: 1, reason: 'length' },
    { type: 'finish', index: 0, reason: 'stop' },
    { type: 'usage', usage },
  )
  const options = { head, count: 2, withLogprobs: false }
  const { choices, ...completion } = await wholeCompletion(events, options)
  expect(completion).toMatchObject({ object: 'chat.completion', usage: { total_tokens: 5 } })
  expect(choices.map(({ message, finish_reason: why }) => [message.content, why])).toEqual([
    ['Hello', 'stop'],
    ['Good', 'length'],
  ])
})

test('a reply that only calls a tool has the whole arguments and no text', async () => {
  const events = from(
    { type: 'delta', index: 0, text: '', calls: [{ type: 'call', call: 0, name: 'look_up' }] },
    { type: 'delta', index: 0, text: '', calls: [{ type: 'arguments', call: 0, text: '{"a"' }] },
    { type: 'delta', index: 0, text: '', calls: [{ type: 'arguments', call: 0, text: ':1}' }] },
    { type: 'finish', index: 0, reason: 'tool_calls' },
    { type: 'usage', usage },
  )
  const { choices } = await wholeCompletion(events, { head, count: 1, withLogprobs: false })
  expect(choices[0]).toMatchObject({
    message: {
      content: null,
      tool_calls: [{ type: 'function', function: { name: 'look_up', arguments: '{"a":1}' } }],
    },
    logprobs: null,
    finish_reason: 'tool_calls',
  })
})

test('events that end without the usage are a fault', async () => {
  const options = { head, count: 1, withLogprobs: false }
  await expect(wholeCompletion(from(), options)).rejects.toThrow('without its usage')
})
