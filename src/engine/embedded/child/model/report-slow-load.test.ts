import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportSlowLoad } from './report-slow-load.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a load of less than two seconds is not reported', () => {
  const report = vi.fn()
  const stop = reportSlowLoad(report)
  vi.advanceTimersByTime(1999)
  stop()
  vi.advanceTimersByTime(600_000)
  expect(report).not.toHaveBeenCalled()
})

test('a slow load is reported after 2, 6, 14 and 30 seconds, then every half minute', () => {
  const seconds: number[] = []
  const startMs = Date.now()
  const stop = reportSlowLoad(() => seconds.push((Date.now() - startMs) / 1000))
  vi.advanceTimersByTime(100_000)
  stop()
  expect(seconds).toEqual([2, 6, 14, 30, 60, 90])
})
