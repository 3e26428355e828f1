import { readFileSync } from 'node:fs'

/** Length of the clock ticks in /proc, which is the same on all processors (USER_HZ). */
const ticksPerSecond = 100

export type ProcessUsage = { readonly residentBytes: number; readonly cpuSeconds: number }

/** Returns what a process uses; undefined if it has ended, and on systems without /proc. */
export function processUsage(pid: number): ProcessUsage | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may have spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])]
    return {
      residentBytes: 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0),
      cpuSeconds: (userTicks + systemTicks) / ticksPerSecond,
    }
  } catch {
    return undefined
  }
}
