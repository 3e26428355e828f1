import { expect, test } from 'vitest'
import { type ReplyPart, ReplyRecord } from './reply-record.ts'

const logprob = (text: string, value: number) => ({ text, bytes: [1], logprob: value, top: [] })

test('a first run is returned as it is', () => {
  const record = new ReplyRecord()
  const part = {
    text: 'ab',
    tokens: 2,
    sampled: [1, 2],
    reasoning: '',
    reasoningTokens: 1,
    logprobs: [],
  }
  expect(record.take(part)).toEqual(part)
  expect(record.take({ text: '', tokens: 1, sampled: [3] })).toEqual({
    text: '',
    tokens: 1,
    sampled: [3],
  })
  expect([...record.sampled]).toEqual([1, 2, 3])
  expect([record.tokens, record.isReproduced]).toEqual([3, true])
})

test('a second run that divides the reply differently continues at the right place', () => {
  const record = new ReplyRecord()
  record.take({ text: 'a', tokens: 1, sampled: [1], logprobs: [logprob('a', -1)] })
  record.take({
    text: 'bc',
    tokens: 2,
    sampled: [2, 3],
    logprobs: [logprob('b', -2), logprob('c', -3)],
  })
  record.rewind()
  expect(record.isReproduced).toBe(false)
  expect(
    record.take({
      text: 'ab',
      tokens: 2,
      sampled: [1, 2],
      logprobs: [logprob('a', -1), logprob('b', -2)],
    }),
  ).toEqual({ text: '', tokens: 0, sampled: [], logprobs: [] })
  expect(record.isReproduced).toBe(false)
  expect(
    record.take({
      text: 'cde',
      tokens: 3,
      sampled: [3, 4, 5],
      logprobs: [logprob('c', -3), logprob('d', -4)],
    }),
  ).toEqual({ text: 'de', tokens: 2, sampled: [4, 5], logprobs: [logprob('d', -4)] })
  expect([record.tokens, record.isReproduced]).toEqual([5, true])
  expect([...record.sampled]).toEqual([1, 2, 3, 4, 5])
})

const known = {
  text: 'abc',
  tokens: 3,
  sampled: [1, 2, 3],
  reasoning: 'thought',
  reasoningTokens: 2,
  logprobs: [logprob('a', -1), logprob('b', -2)],
}
test.each<[string, Partial<ReplyPart>]>([
  ['text', { text: 'abd' }],
  ['thoughts', { reasoning: 'though' + 'T' }],
  ['log-probabilities', { logprobs: [logprob('a', -1), logprob('b', -2.5)] }],
])('a second run with other %s is noticed', (_, difference) => {
  const record = new ReplyRecord()
  record.take(known)
  record.rewind()
  expect(record.take({ ...known, ...difference })).toBeUndefined()
})

test('a second run that ends early has not reproduced the reply', () => {
  const record = new ReplyRecord()
  record.take(known)
  record.rewind()
  record.take({ ...known, tokens: 2, sampled: [1, 2] })
  expect(record.isReproduced).toBe(false)
})

test('a rewind during a second run keeps the whole known reply', () => {
  const record = new ReplyRecord()
  record.take(known)
  record.rewind()
  record.take({ text: 'a', tokens: 1, sampled: [1], logprobs: [logprob('a', -1)] })
  record.rewind()
  expect(record.take({ ...known, text: 'abcd', tokens: 4, sampled: [1, 2, 3, 4] })).toMatchObject({
    text: 'd',
    tokens: 1,
  })
  expect([...record.sampled]).toEqual([1, 2, 3, 4])
  record.rewind()
  const other = [logprob('a', -1), logprob('b', -3)]
  expect(record.take({ ...known, logprobs: other })).toBeUndefined()
})
