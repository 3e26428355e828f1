import { expect, test } from 'vitest'
import type { ChatMessage } from '../../engine.ts'
import { promptMembers } from './request-body.ts'

test('results come in the order of their calls, since templates of upstream engines may not read ids', () => {
  const call = (id: string) => ({ id, name: 'find', arguments: '{}' })
  const result = (toolCallId: string): ChatMessage => ({ role: 'tool', content: '', toolCallId })
  const messages: ChatMessage[] = [
    { role: 'assistant', content: '', toolCalls: [call('a'), call('b')] },
    result('b'),
    result('a'),
  ]
  const ids = [{ role: 'assistant' }, { tool_call_id: 'a' }, { tool_call_id: 'b' }]
  expect(promptMembers('vllm', messages, {})['messages']).toMatchObject(ids)
})
