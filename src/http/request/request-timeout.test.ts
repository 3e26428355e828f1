import { expect, test } from 'vitest'
import { requestTimeoutMsOf } from './request-timeout.ts'

test.each([
  [{}, undefined],
  [{ 'x-request-timeout-ms': '1500' }, 1500],
  [{ 'x-stainless-timeout': '600' }, 600_000],
  [{ 'x-stainless-timeout': '0' }, 1000],
  [{ 'x-stainless-read-timeout': '12.5' }, 12_500],
  [{ 'x-stainless-timeout': 'undefined' }, undefined],
  [{ 'x-request-timeout-ms': '1500', 'x-stainless-timeout': '1' }, 1000],
  [{ 'x-request-timeout-ms': '1500', 'x-stainless-timeout': '600' }, 1500],
])('the headers %o allow %s ms', (headers, timeoutMs) => {
  expect(requestTimeoutMsOf(headers, false)).toBe(timeoutMs)
})

test('of a stream, the SDKs allow their time for its headers only', () => {
  expect(requestTimeoutMsOf({ 'x-stainless-timeout': '10' }, true)).toBeUndefined()
  const both = { 'x-request-timeout-ms': '1500', 'x-stainless-timeout': '1' }
  expect(requestTimeoutMsOf(both, true)).toBe(1500)
})

test.each(['', '0', '-5', '5s', '5, 5', '86400001'])(
  'X-Request-Timeout-Ms: %j is refused',
  (value) => {
    expect(() => requestTimeoutMsOf({ 'x-request-timeout-ms': value }, false)).toThrow(
      expect.objectContaining({ code: 'invalid_value' }),
    )
  },
)
