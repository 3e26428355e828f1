import { describe, expect, test } from 'vitest'
import { compareLatencies, growthOf, latenciesOf } from './verdict.ts'

const windows = (...p99s: number[]) =>
  p99s.map((p99Ms) => ({ medianMs: p99Ms / 10, p99Ms, maxMs: p99Ms }))

test('the p99 of a window is the latency that one request in a hundred exceeds', () => {
  const latencies = Array.from({ length: 200 }, (_, index) => index + 1)
  expect(latenciesOf({ latencies, delays: [], failures: {} })).toEqual({
    medianMs: 101,
    p99Ms: 199,
    maxMs: 200,
  })
})

test.each([
  ['equal windows', [10, 12, 9], [11, 10, 12], false],
  ['windows of a fast service that are below the floor', [2, 2, 2], [40, 45, 50], false],
  ['windows that are all slower', [10, 12, 9], [100, 90, 110], true],
  ['one slow window of three on a busy machine', [10, 12, 9], [10, 900, 12], false],
  ['slow calm windows on a busy machine', [200, 220, 210], [300, 310, 290], false],
])('%s', (_name, calm, hostile, isDoubled) => {
  expect(compareLatencies(windows(...calm), windows(...hostile)).isDoubled).toBe(isDoubled)
})

describe('memory', () => {
  const megabyte = 1024 * 1024
  const growth = (...megabytes: number[]) => {
    const { bytes, isFault } = growthOf(megabytes.map((some) => some * megabyte))
    return [bytes / megabyte, isFault]
  }

  test('that grows from sample to sample is a fault', () => {
    expect(growth(100, 110, 120, 130, 140, 150, 160, 170, 180, 190)).toEqual([80, true])
  })

  test('that grows less, stays or varies is none', () => {
    expect(growth(100, 105, 110, 115, 120, 125, 130, 131, 132, 133)).toEqual([32, false])
    expect(growth(100, 100, 180, 100, 100, 190, 100, 100, 100, 170)).toEqual([0, false])
  })

  test('that grows and then keeps its size has settled', () => {
    expect(growth(100, 140, 160, 165, 162, 168, 163, 170, 165, 166)).toEqual([66, false])
  })
})
