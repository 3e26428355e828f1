import { expect, test } from 'vitest'
import type { ChatMessage } from '../../engine.ts'
import { completionBody, promptMembers } from './request-body.ts'

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

test('half a surrogate pair reaches no upstream, because some answer it with a server error', () => {
  const content = 'a \ud83d 😀 \\ud83d \\\ud83d'
  const body = completionBody(
    { flavour: 'llama-server', model: 'm' },
    [{ role: 'user', content }],
    {
      prompt: { tokens: new Int32Array(), replies: new Int32Array() },
      cacheScope: '',
      maxTokens: 1,
      stop: ['\ud83d', '.'],
      sampling: { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 },
    },
    '',
  )
  expect(JSON.parse(body)).toMatchObject({
    messages: [{ content: content.toWellFormed() }],
    stop: ['.'],
  })
})
