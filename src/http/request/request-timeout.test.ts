import { expect, test } from 'vitest'
import { requestTimeoutMsOf } from './request-timeout.ts'

test.each([
  [{}, undefined],
  [{ 'x-request-timeout-ms': '1500' }, 1500],
  [{ 'x-stainless-timeout': '600' }, 600_000],
  [{ 'x-stainless-timeout': '0' }, 1000],
  [{ 'x-stainless-timeout': 'undefined' }, undefined],
  [{ 'x-request-timeout-ms': '1500', 'x-stainless-timeout': '1' }, 1000],
  [{ 'x-request-timeout-ms': '1500', 'x-stainless-timeout': '600' }, 1500],
])('the headers %o allow %s ms', (headers, timeoutMs) => {
  expect(requestTimeoutMsOf(headers)).toBe(timeoutMs)
})

test.each(['', '0', '-5', '5s', '5, 5', '86400001'])(
  'X-Request-Timeout-Ms: %j is refused',
  (value) => {
    expect(() => requestTimeoutMsOf({ 'x-request-timeout-ms': value })).toThrow(
      expect.objectContaining({ code: 'invalid_value' }),
    )
  },
)
