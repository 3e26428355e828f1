import { expect, test } from 'vitest'
import { toLimitStates } from './to-limit-states.ts'

test('a limit that is not set has no state', () => {
  const states = { parallelRequests: { limit: 3, remaining: 2, resetMs: 0 } }
  expect(toLimitStates(states)).toMatchObject({
    parallel_requests: { limit: 3, remaining: 2, reset_ms: 0 },
    tokens_per_month: null,
  })
})
