/** Lower bounds of the buckets, half an octave apart. The last bucket ends at `endMs`, above any possible request. */
const beginsMs = [
  0, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724, 1024, 1448, 2048, 2896,
  4096, 5793, 8192, 11585, 16384, 23170, 32768, 46341, 65536, 92682, 131072, 185364, 262144, 370728,
  524288,
] as const
const endMs = 741_455

/** Number of requests by bucket of latency. */
export type LatencyHistogram = readonly number[]

/** The columns of a histogram. */
export const latencyColumns = beginsMs.map((_, bucket) => `latency_${bucket}` as const)

export function latencyBucketOf(ms: number): number {
  return Math.max(
    0,
    beginsMs.findLastIndex((beginMs) => beginMs <= ms),
  )
}

/**
 * Estimates a quantile, for example the median for `share` 0.5. The estimate is in the same bucket as the exact value,
 * so it is off by at most 4 ms or a factor of 1.5. Returns undefined for an empty histogram.
 */
export function quantileMs(histogram: LatencyHistogram, share: number): number | undefined {
  const requests = histogram.reduce((sum, count) => sum + count, 0)
  if (requests === 0) return undefined
  const nearestRank = Math.max(1, Math.ceil(share * requests))
  let below = 0
  for (const [bucket, count] of histogram.entries()) {
    const rank = nearestRank - below
    if (count > 0 && rank <= count) return Math.floor(within(bucket, (rank - 0.5) / count))
    below += count
  }
  return endMs
}

function within(bucket: number, share: number): number {
  const beginMs = beginsMs[bucket] ?? 0
  const nextMs = beginsMs[bucket + 1] ?? endMs
  return beginMs + (nextMs - beginMs) * share
}
