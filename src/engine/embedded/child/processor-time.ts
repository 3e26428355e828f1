import process from 'node:process'

/** Returns the processor time of this thread in microseconds. Before Node 22.19 it is that of the whole process. */
export function threadCpuUsage(before?: NodeJS.CpuUsage): NodeJS.CpuUsage {
  const { threadCpuUsage: ofThread } = process as Partial<typeof process>
  return ofThread === undefined ? process.cpuUsage(before) : ofThread(before)
}
