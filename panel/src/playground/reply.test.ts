import { expect, test } from 'vitest'
import type { ChatCompletionChunk } from '../../../src/protocol/chat/chat-completion.ts'
import { addChunk, newReply } from './reply.ts'

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
  expect(reply.fingerprint).toBe('fp')
})

test('a thought is kept apart from the text', () => {
  const think = (reasoning: string) =>
    chunk(0, '', { delta: { reasoning_content: reasoning, reasoning } })
  const chunks = [think('Two '), think('and two.'), chunk(0, 'Four.')]
  const reply = chunks.reduce((before, next, i) => addChunk(before, next, 100 + i), newReply)
  expect(reply.choices[0]).toMatchObject({ thought: 'Two and two.', text: 'Four.' })
  expect([reply.firstTokenMs, reply.deltas]).toEqual([100, 3])
})
