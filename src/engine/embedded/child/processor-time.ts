import process from 'node:process'

/** Processor time of this thread in microseconds; of the whole process before Node 22.19. */
export function threadCpuUsage(before?: NodeJS.CpuUsage): NodeJS.CpuUsage {
  const { threadCpuUsage: ofThread } = process as Partial<typeof process>
  return ofThread === undefined ? process.cpuUsage(before) : ofThread(before)
}
