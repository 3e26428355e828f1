import { expect, test } from 'vitest'
import { parseExpiry, toExpiry } from './expiry.ts'

const nowMs = new Date(2026, 10, 22, 2, 22).getTime()

test('a time is shown and parsed in the user’s time zone, to the minute', () => {
  const expiry = toExpiry(nowMs + 59_000)
  expect(expiry).toEqual({ choice: 'at', at: '2026-11-22T02:22' })
  expect(parseExpiry(expiry, 0)).toBe(nowMs)
})

test('never, days from now, and an invalid time', () => {
  expect(toExpiry(null).choice).toBe('never')
  expect(parseExpiry({ choice: 'never', at: '2026-11-22T02:22' }, nowMs)).toBeNull()
  expect(parseExpiry({ choice: '30', at: '' }, 0)).toBe(30 * 86_400_000)
  expect(parseExpiry({ choice: 'at', at: '' }, nowMs)).toBeUndefined()
})
