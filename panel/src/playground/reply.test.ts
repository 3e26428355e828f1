import { expect, test } from 'vitest'
import type { ChatCompletionChunk } from '../../../src/protocol/chat/chat-completion.ts'
import { addChunk, newReply, tokensPerSecond } from './reply.ts'

const chunk = (index: number, content: string, more: object = {}): ChatCompletionChunk => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'svc-o1-mini',
  system_fingerprint: 'fp',
  choices: [{ index, delta: { content }, logprobs: null, finish_reason: null, ...more }],
})

test('chunks are assigned to choices by index, in any order', () => {
  const reply = [chunk(1, 'b'), chunk(0, 'a'), chunk(1, 'c', { finish_reason: 'length' })].reduce(
    (before, next, i) => addChunk(before, next, 100 + i),
    newReply,
  )
  expect(reply.choices.map(({ text, finishReason }) => [text, finishReason])).toEqual([
    ['a', undefined],
    ['bc', 'length'],
  ])
  expect([reply.firstTokenMs, reply.elapsedMs, reply.deltas]).toEqual([100, 102, 3])
})

test('the rate counts tokens after the first, and is exact once the usage arrives', () => {
  const begun = addChunk(newReply, chunk(0, 'a'), 1000)
  expect(tokensPerSecond(begun)).toBeUndefined()
  const later = addChunk(begun, chunk(0, 'b'), 1500)
  expect(tokensPerSecond(later)).toBe(2)
  const usage = {
    prompt_tokens: 5,
    completion_tokens: 11,
    total_tokens: 16,
    prompt_tokens_details: { cached_tokens: 0 },
  }
  expect(tokensPerSecond(addChunk(later, { ...chunk(0, ''), choices: [], usage }, 2000))).toBe(10)
})
