import process from 'node:process'
import type { Worker } from 'node:worker_threads'

/** Returns the processor time of this thread in microseconds. Before Node 22.19 it is that of the whole process. */
export function threadCpuUsage(before?: NodeJS.CpuUsage): NodeJS.CpuUsage {
  const { threadCpuUsage: ofThread } = process as Partial<typeof process>
  return ofThread === undefined ? process.cpuUsage(before) : ofThread(before)
}

/** Returns the processor time of this thread in milliseconds. */
export function threadCpuMs(): number {
  return inMs(threadCpuUsage())
}

/**
 * Returns the processor time of a worker's thread in milliseconds. Returns undefined if the thread does not report it
 * within `waitMaxMs`, has ended, or runs on a Node that cannot ask it, as before 24.6.
 */
export async function workerCpuMs(worker: Worker, waitMaxMs: number): Promise<number | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), waitMaxMs)
  try {
    const usage = await Promise.race([(worker as Partial<Worker>).cpuUsage?.(), late.promise])
    return usage && inMs(usage)
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

function inMs({ user, system }: NodeJS.CpuUsage): number {
  return Math.round((user + system) / 1000)
}
