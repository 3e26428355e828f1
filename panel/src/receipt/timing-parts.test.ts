import { expect, test } from 'vitest'
import { timingOf, tokensPerSecond } from './timing-parts.ts'

test('the phases of a request are percentages of its total time', () => {
  expect(timingOf({ queue_ms: 100, prefill_ms: 300, decode_ms: 600 })).toEqual({
    totalMs: 1000,
    parts: [
      { name: 'queue', ms: 100, percent: 10 },
      { name: 'prefill', ms: 300, percent: 30 },
      { name: 'decode', ms: 600, percent: 60 },
    ],
  })
})

test('a refused request has no timing, and zero time gives zero percent', () => {
  expect(timingOf({ queue_ms: null, prefill_ms: null, decode_ms: null })).toBeUndefined()
  expect(timingOf({ queue_ms: 0, prefill_ms: null, decode_ms: null })).toEqual({
    totalMs: 0,
    parts: [
      { name: 'queue', ms: 0, percent: 0 },
      { name: 'prefill', ms: 0, percent: 0 },
      { name: 'decode', ms: 0, percent: 0 },
    ],
  })
})

test('the speed is measured over the decode phase', () => {
  const usage = {
    prompt_tokens: 9,
    completion_tokens: 50,
    total_tokens: 59,
    prompt_tokens_details: { cached_tokens: 0 },
  }
  expect(tokensPerSecond({ usage, timing: { queue_ms: 9, prefill_ms: 90, decode_ms: 500 } })).toBe(
    100,
  )
  expect(
    tokensPerSecond({ usage, timing: { queue_ms: 9, prefill_ms: 90, decode_ms: 0 } }),
  ).toBeUndefined()
})
