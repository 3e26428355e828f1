import { afterEach, beforeEach, expect, test } from 'vitest'
import { chooseTicks, valueTicks } from './chart-ticks.ts'

const zoneBefore = process.env['TZ']
beforeEach(() => {
  process.env['TZ'] = 'Europe/Berlin'
})
afterEach(() => {
  if (zoneBefore === undefined) delete process.env['TZ']
  else process.env['TZ'] = zoneBefore
})

const hourMs = 3_600_000

test('hour ticks follow the clock, also on the day when it is set back', () => {
  // 25 October 2026 has 25 hours in Berlin: 02:00 comes twice.
  const midnightMs = Date.parse('2026-10-24T22:00:00Z')
  const hours = Array.from({ length: 25 }, (_, index) => midnightMs + index * hourMs)
  expect(chooseTicks(hours, 'hour', 5)).toEqual([0, 7, 13, 19])
  expect(chooseTicks(hours, 'hour', 1)).toEqual([0])
})

test('day ticks have equal gaps and include the last day', () => {
  const days = Array.from({ length: 30 }, (_, index) => index * 24 * hourMs)
  expect(chooseTicks(days, 'day', 7)).toEqual([4, 9, 14, 19, 24, 29])
  expect(chooseTicks(days.slice(0, 3), 'day', 7)).toEqual([0, 1, 2])
  expect(chooseTicks([], 'day', 7)).toEqual([])
})

test('value ticks are round whole numbers', () => {
  expect(valueTicks(57, 4)).toEqual([0, 20, 40, 60])
  expect(valueTicks(1_000, 4)).toEqual([0, 500, 1_000])
  expect(valueTicks(3, 4)).toEqual([0, 1, 2, 3])
  expect(valueTicks(0, 4)).toEqual([0, 1])
})
