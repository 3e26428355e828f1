import { expect, test } from 'vitest'
import { keyLimits } from '../../key-limits.ts'
import { limitRefusal } from './limit-refusal.ts'

test.each([
  ['requestsPerMinute', 5, 1, 12_000, 'API key: 5 requests per minute. Retry in 12 s.'],
  ['requestsPerMinute', 1, 1, 1, 'API key: 1 request per minute. Retry in 1 s.'],
  [
    'tokensPerMinute',
    600,
    500,
    9500,
    'API key: 600 tokens per minute. This request needs up to 500 (prompt and reply). Retry in 10 s.',
  ],
  ['parallelRequests', 2, 1, 1000, '2 parallel requests. Retry when one of them has finished.'],
  [
    'tokensPerDay',
    1000,
    601,
    Infinity,
    'API key: 1000 tokens per day (UTC), 400 left. This request needs up to 601 (prompt and reply).',
  ],
  ['tokensPerMinute', 600, 601, Infinity, 'Shorten the prompt or lower `max_tokens`.'],
] as const)('%s of %i, with %i needed, says what to do', (name, limit, amount, waitMs, text) => {
  const kind = keyLimits.find((one) => one.name === name)!
  const refusal = limitRefusal(kind, { limit, remaining: 400, amount, waitMs, owner: 'API key' })
  expect(refusal.message).toContain(text)
  expect(refusal.message).toContain('this API key')
})
