import { expect, test } from 'vitest'
import { templateSource } from '../../test/support/models/release-files.ts'
import { withCalls } from './tools-as-text.ts'

const calls = ['a', 'b'].map((id) => ({ id, name: 'find', arguments: `{"id":"${id}"}` }))
const messages = [
  { role: 'user', content: 'Find both.' },
  { role: 'assistant', content: '', toolCalls: calls },
  { role: 'tool', content: 'A', toolCallId: 'a' },
  { role: 'tool', content: 'B', toolCallId: 'b' },
] as const

test('calls are text where the template writes none, and the results of all calls stay', () => {
  const [, called, ...results] = withCalls(
    messages,
    templateSource('ibm-granite-granite-3.3-2B-Instruct'),
  )
  expect(called).toEqual({
    role: 'assistant',
    content:
      '<|tool_call|>[{"name": "find", "arguments": {"id":"a"}}, {"name": "find", "arguments": {"id":"b"}}]',
  })
  expect(results).toEqual(messages.slice(2))
})

test('the arguments of such calls are those of Python where the model writes Python', () => {
  const text = '{"id":"a\\"b","10":[1,"x"],"on":true,"none":null,"in":{"all":false}}'
  const toolCalls = [
    { id: 'a', name: 'find', arguments: text },
    { id: 'b', name: 'stop', arguments: '{}' },
  ]
  const [called] = withCalls(
    [{ role: 'assistant', content: 'Wait.', toolCalls }],
    templateSource('LFM2-8B-A1B'),
  )
  expect(called?.content).toBe(
    'Wait.<|tool_call_start|>[find(id="a\\"b", 10=[1,"x"], on=True, none=None, in={"all":false}), stop()]<|tool_call_end|>',
  )
})

test('a template that writes calls gets them as they are', () => {
  expect(withCalls(messages, templateSource('Qwen-Qwen3-0.6B'))).toBe(messages)
})
