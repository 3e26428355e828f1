import { readFileSync } from 'node:fs'

/**
 * Tells whether the kernel has lately killed a process because memory was short. It counts such kills on the whole
 * machine, so another process may have been meant.
 */
export class MemoryKills {
  readonly #read: () => number | undefined
  /** The last two counts. Comparing them finds a kill that happened before `note` was called. */
  #counts: [number | undefined, number | undefined]

  constructor(read = readKills) {
    this.#read = read
    this.#counts = [read(), read()]
  }

  /** Call it every few seconds: kills from before the last call but one are forgotten. */
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
