import { rmdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const waitMs = 5000

/** Removes a cgroup. The kernel keeps it busy for a moment after its last process has ended. */
export async function removeControlGroup(path: string): Promise<void> {
  const endMs = performance.now() + waitMs
  for (;;) {
    try {
      rmdirSync(path)
      return
    } catch (error) {
      const isBusy = error instanceof Error && 'code' in error && error.code === 'EBUSY'
      if (!isBusy || performance.now() > endMs) throw error
      await delay(20)
    }
  }
}
