import { expect, test } from 'vitest'
import { toLogprobs } from './to-logprobs.ts'

const hi = { text: 'Hi', bytes: [72, 105], logprob: -0.5 }

test('each token has its own log-probability and those of the likeliest tokens', () => {
  const [token] = toLogprobs([{ ...hi, top: [hi] }]).content
  expect(token).toEqual({
    token: 'Hi',
    logprob: -0.5,
    bytes: [72, 105],
    top_logprobs: [{ token: 'Hi', logprob: -0.5, bytes: [72, 105] }],
  })
})

test('a token without bytes of its own has none on the wire', () => {
  expect(toLogprobs([{ ...hi, bytes: [], top: [] }]).content[0]?.bytes).toBeNull()
})
