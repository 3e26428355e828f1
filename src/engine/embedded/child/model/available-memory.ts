import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns undefined when the file does not exist or cannot be read. */
type ReadText = (path: string) => string | undefined

/**
 * Returns the bytes that this process can still allocate: the machine's available memory, or less if
 * the memory limit of an enclosing control group (v1 or v2) leaves less.
 */
export function availableMemory(readText: ReadText = readTextFile): number {
  const ofMachine = numberIn(readText('/proc/meminfo'), /^MemAvailable: +(\d+) kB$/m)
  // Only Linux has the file; on other systems Node reads the available memory.
  if (ofMachine === undefined) return process.availableMemory()
  const membership = readText('/proc/self/cgroup')
  const ofGroups = hierarchies.flatMap((hierarchy) =>
    pathsUpFrom(hierarchy.ownPath.exec(membership ?? '')?.[1]).map((path) =>
      availableInGroup(hierarchy, path, readText),
    ),
  )
  return Math.min(ofMachine * 1024, ...ofGroups)
}

type Hierarchy = {
  readonly ownPath: RegExp
  readonly root: string
  readonly limit: string
  readonly usage: string
  /** Matches the size of the page cache that the kernel reclaims before it refuses memory. */
  readonly reclaimable: RegExp
}

const hierarchies: readonly Hierarchy[] = [
  {
    ownPath: /^0::(\/.*)$/m,
    root: '/sys/fs/cgroup',
    limit: 'memory.max',
    usage: 'memory.current',
    reclaimable: /^inactive_file (\d+)$/m,
  },
  {
    ownPath: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m,
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    usage: 'memory.usage_in_bytes',
    reclaimable: /^total_inactive_file (\d+)$/m,
  },
]

/** Returns Infinity without a limit ("max" in v2), and for groups outside this container's view. */
function availableInGroup(hierarchy: Hierarchy, path: string, readText: ReadText): number {
  const textOf = (file: string): string | undefined => readText(join(hierarchy.root, path, file))
  const limit = numberIn(textOf(hierarchy.limit), /^(\d+)$/m)
  const usage = numberIn(textOf(hierarchy.usage), /^(\d+)$/m)
  if (limit === undefined || usage === undefined) return Infinity
  const reclaimable = numberIn(textOf('memory.stat'), hierarchy.reclaimable) ?? 0
  return Math.max(0, limit - usage + reclaimable)
}

/** Returns a group's path and those of all enclosing groups, whose limits apply too. */
function pathsUpFrom(path: string | undefined): string[] {
  if (path === undefined) return []
  return path === '/' ? [path] : [path, ...pathsUpFrom(dirname(path))]
}

function numberIn(text: string | undefined, pattern: RegExp): number | undefined {
  const digits = pattern.exec(text ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
