import { expect, test } from 'vitest'
import { parseUsageQuery } from './parse-usage-query.ts'

const dayMs = 86_400_000
const fromMs = Date.UTC(2026, 2, 28)

test('days begin at local midnight, also on a day of 23 hours', () => {
  const query = { from_ms: fromMs, to_ms: fromMs + 3 * dayMs, time_zone: 'Europe/Berlin' }
  const { boundariesMs, step } = parseUsageQuery(query)
  expect(step).toBe('day')
  expect(boundariesMs.map((ms) => new Date(ms).toISOString())).toContain('2026-03-29T22:00:00.000Z')
})

test('hours are whole, and the last boundary ends the last hour', () => {
  const query = { from_ms: fromMs + 1, to_ms: fromMs + 7_200_000, step: 'hour' as const }
  expect(parseUsageQuery(query).boundariesMs).toEqual([fromMs + 3_600_000, fromMs + 7_200_000])
})

test.each([
  ['an empty range', { from_ms: 5, to_ms: 5 }, 'to_ms'],
  ['an unknown time zone', { from_ms: 0, to_ms: dayMs, time_zone: 'Mars/Olympus' }, 'time_zone'],
  ['too many points', { from_ms: 0, to_ms: 100 * dayMs, step: 'hour' as const }, 'from_ms'],
])('%s is refused by the name of its parameter', (_name, query, param) => {
  expect(() => parseUsageQuery(query)).toThrowError(expect.objectContaining({ param }))
})
