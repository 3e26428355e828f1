import { fc } from '../../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { latencyBucketOf, quantileMs } from './latency-histogram.ts'

test('an estimated quantile is in the bucket of the exact one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(700_000), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.95),
      (latencies, share) => {
        const histogram = Array.from({ length: 36 }, () => 0)
        for (const ms of latencies)
          histogram[latencyBucketOf(ms)] = (histogram[latencyBucketOf(ms)] ?? 0) + 1
        const sorted = latencies.toSorted((a, b) => a - b)
        const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
        const estimate = quantileMs(histogram, share) ?? -1
        return estimate >= 0 && latencyBucketOf(estimate) === latencyBucketOf(exact)
      },
    ),
    { numRuns: 1000, examples: [[[3, 3], 0.5]] },
  )
  expect(
    quantileMs(
      Array.from({ length: 36 }, () => 0),
      0.5,
    ),
  ).toBeUndefined()
})
