import { readdirSync } from 'node:fs'
import { memoryOf, processTree } from '../process.ts'
import type { Service } from '../service.ts'

/** The state of a service at one moment. */
export type Sample = {
  /** Time since the load began. */
  atMs: number
  frontBytes: number
  /** Parts of the front's memory, which tell where growth is: no file backs it, V8's heap, and V8's external memory. */
  anonymousBytes: number
  heapBytes: number
  externalBytes: number
  /** Resident memory of all child processes. */
  engineBytes: number
  /** Open descriptors of all processes. */
  descriptors: number
  /** Active timers of the front. `handles` counts its other active handles and requests. */
  timers: number
  handles: number
  /** Event-loop delay of the front since the last sample. */
  loopP50Ms: number
  loopP99Ms: number
}

export const csvHead =
  'seconds,front_rss_bytes,front_anonymous_bytes,front_heap_bytes,front_external_bytes,engine_rss_bytes,descriptors,timers,handles,loop_p50_ms,loop_p99_ms'

export function csvLine(sample: Sample): string {
  const { atMs, loopP50Ms, loopP99Ms, ...counts } = sample
  return [
    (atMs / 1000).toFixed(1),
    counts.frontBytes,
    counts.anonymousBytes,
    counts.heapBytes,
    counts.externalBytes,
    counts.engineBytes,
    counts.descriptors,
    counts.timers,
    counts.handles,
    loopP50Ms.toFixed(2),
    loopP99Ms.toFixed(2),
  ].join()
}

/**
 * Reads the figures of the processes and the metrics of the front. Each reading restarts the measurement of the
 * event-loop delay.
 */
export async function readSample({ pid, metricsUrl }: Service, atMs: number): Promise<Sample> {
  const text = await (await fetch(metricsUrl)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
  const [front = pid, ...children] = processTree(pid)
  const memory = memoryOf(front)
  const timers = value('nodejs_active_resources\\{type="Timeout"\\}')
  return {
    atMs,
    frontBytes: memory.rssBytes,
    anonymousBytes: memory.anonymousBytes,
    heapBytes: value('nodejs_heap_size_total_bytes'),
    externalBytes: value('nodejs_external_memory_bytes'),
    engineBytes: children.reduce((sum, child) => sum + memoryOf(child).rssBytes, 0),
    descriptors: [front, ...children].reduce((sum, of) => sum + descriptorsOf(of), 0),
    timers,
    handles: value('nodejs_active_resources_total') - timers,
    loopP50Ms: 1000 * value('nodejs_eventloop_lag_p50_seconds'),
    loopP99Ms: 1000 * value('nodejs_eventloop_lag_p99_seconds'),
  }
}

function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** Returns the slope of the least squares line. */
export function slopeMibPerHour(
  samples: readonly Sample[],
  read: (sample: Sample) => number,
): number {
  const hours = samples.map(({ atMs }) => atMs / 3_600_000)
  const mebibytes = samples.map((sample) => read(sample) / 2 ** 20)
  const [meanX, meanY] = [mean(hours), mean(mebibytes)]
  let above = 0
  let below = 0
  for (const [index, x] of hours.entries()) {
    above += (x - meanX) * ((mebibytes[index] ?? 0) - meanY)
    below += (x - meanX) ** 2
  }
  return above / below
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
