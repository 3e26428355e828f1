import { readFileSync } from 'node:fs'

/**
 * Tells whether the kernel has recently killed a process because memory was short. The kernel counts these kills for
 * the whole machine, so the killed process may be a different one.
 */
export class MemoryKills {
  readonly #read: () => number | undefined
  /** Counts at the last two calls of `note`. Comparing with the older one finds a kill just before the last call. */
  #counts: [number | undefined, number | undefined]

  constructor(read = readKills) {
    this.#read = read
    this.#counts = [read(), read()]
  }

  /** Call it every few seconds: kills before the second-last call are forgotten. */
  note(): void {
    this.#counts = [this.#counts[1], this.#read()]
  }

  get hasNew(): boolean {
    const [before, now] = [this.#counts[0], this.#read()]
    return before !== undefined && now !== undefined && now > before
  }
}

/** Returns undefined on systems without such a count. */
function readKills(): number | undefined {
  try {
    const count = /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'latin1'))?.[1]
    return count === undefined ? undefined : Number(count)
  } catch {
    return undefined
  }
}
