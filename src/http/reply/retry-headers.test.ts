import { expect, test } from 'vitest'
import { retryHeaders, spread } from './retry-headers.ts'

test('jitter is never less than the estimate, up to half as much again, and at most 60 s', () => {
  expect([spread(4000, 0), spread(4000, 0.5), spread(4000, 1)]).toEqual([4000, 5000, 6000])
  expect([spread(50_000, 0), spread(50_000, 1)]).toEqual([50_000, 60_000])
  expect(spread(90_000, 1)).toBe(90_000)
  for (let i = 0; i < 1000; i += 1) {
    const ms = spread(4000)
    expect(ms >= 4000 && ms <= 6000).toBe(true)
  }
})

test('1,000 callers refused at once come back spread over the jitter', () => {
  const bins = new Map<number, number>()
  for (let i = 0; i < 1000; i += 1) {
    const bin = Math.floor(spread(20_000, i / 1000) / 1000)
    bins.set(bin, (bins.get(bin) ?? 0) + 1)
  }
  expect(Math.max(...bins.values())).toBeLessThanOrEqual(100)
})

test('the seconds are whole, from 1 to 60, and never less than the milliseconds', () => {
  const seconds = [0, 1, 1000, 1001, 59_001, 90_000].map((ms) => retryHeaders(ms)['retry-after'])
  expect(seconds).toEqual(['1', '1', '1', '2', '60', '60'])
  expect(retryHeaders(1234.5)['retry-after-ms']).toBe('1235')
})
