import { expect, test } from 'vitest'
import { limitsFromWire, limitsToWire } from './limits.ts'

test('a limit that is not set is null on the wire', () => {
  expect(limitsToWire({ requestsPerMinute: 60 })).toMatchObject({
    requests_per_minute: 60,
    tokens_per_day: null,
  })
})

test('null from the wire removes a limit, and an absent one stays', () => {
  expect(limitsFromWire({ requests_per_minute: 60, tokens_per_day: null })).toEqual({
    requestsPerMinute: 60,
    tokensPerDay: null,
  })
})
