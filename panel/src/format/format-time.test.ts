import { expect, test } from 'vitest'
import { formatDateTime, formatRelative } from './format-time.ts'

const dayMs = 86_400_000

test('a key that was just created for 30 days expires in 30 days', () => {
  expect(formatRelative(30 * dayMs, 1)).toBe('in 30 days')
  expect(formatRelative(30 * dayMs, 40_000)).toBe('in 30 days')
  expect(formatRelative(59_900, 0)).toBe('in 1 minute')
  expect(formatRelative(3_599_000, 0)).toBe('in 1 hour')
})

test('only whole units have passed', () => {
  expect(formatRelative(0, 59_900)).toBe('59 seconds ago')
  expect(formatRelative(0, 119_000)).toBe('1 minute ago')
  expect(formatRelative(0, 2 * dayMs - 1)).toBe('yesterday')
})

test('a time has seconds', () => {
  expect(formatDateTime(new Date(2026, 10, 22, 2, 22, 30).getTime())).toMatch(/2:22:30/)
})
