import type { GoodWindow } from './good-client.ts'

/** Memory that a process may gain from the end of the warm-up to the end of the run without a fault. */
const growthBytesMax = 50 * 1024 * 1024
/** Memory counts as settled if it grows by no more than this from the middle third to the last third of a run. */
const settledBytes = 10 * 1024 * 1024
/**
 * An increase of the p99 over that of calm windows is a fault only from this size on. On a slow machine, where all work
 * takes longer, that size is `latencyFloorMedians` times the median latency of calm windows.
 */
const latencyFloorMs = 50
const latencyFloorMedians = 5

export type Latencies = { medianMs: number; p99Ms: number; maxMs: number }

export function latenciesOf({ latencies }: GoodWindow): Latencies {
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    maxMs: sorted.at(-1) ?? 0,
  }
}

/** The good client's p99 in calm and in hostile windows, which alternate. */
type LatencyVerdict = {
  calmMs: number
  hostileMs: number
  windows: number
  slower: number
  isDoubled: boolean
}

/**
 * Compares the medians of the windows. The p99 counts as doubled when at least two thirds of the hostile windows
 * agree: a busy machine delays single windows of either kind.
 */
export function compareLatencies(
  calm: readonly Latencies[],
  hostile: readonly Latencies[],
): LatencyVerdict {
  const calmMs = median(calm.map(({ p99Ms }) => p99Ms))
  const hostileMs = median(hostile.map(({ p99Ms }) => p99Ms))
  const medianMs = median(calm.map((window) => window.medianMs))
  const floorMs = Math.max(latencyFloorMs, latencyFloorMedians * medianMs)
  const limitMs = Math.max(2 * calmMs, calmMs + floorMs)
  const slower = hostile.filter(({ p99Ms }) => p99Ms > limitMs).length
  const isDoubled = hostileMs > limitMs && slower >= (2 / 3) * hostile.length
  return { calmMs, hostileMs, windows: hostile.length, slower, isDoubled }
}

/** Growth of a process's memory since the first sample, which is taken right after the warm-up. */
type Growth = { bytes: number; isFault: boolean }

/**
 * Compares the median of the last third with the first sample. Growth is a fault if it is too large and goes on: a
 * cache that fills and then keeps its size has settled.
 */
export function growthOf(samples: readonly number[]): Growth {
  const third = Math.max(1, Math.floor(samples.length / 3))
  const last = median(samples.slice(-third))
  const middle = median(samples.slice(-2 * third, -third))
  const bytes = last - (samples[0] ?? 0)
  return { bytes, isFault: bytes > growthBytesMax && last - middle > settledBytes }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
