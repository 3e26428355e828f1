import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** What the commit of one request writes to SQLite's journal: eight pages. */
const bytes = 8 * 4096
/** Written over and over, as the journal is. */
const fileBytes = 4 * 1024 * 1024

/** How long the disk alone takes to write a commit and flush it, as often as is asked; ms. */
export async function measureFlushes(count: number): Promise<number[]> {
  // Where the benchmarks put the data directories.
  const folder = mkdtempSync(join(tmpdir(), 'pipit-bench-flush-'))
  const file = openSync(join(folder, 'file'), 'w')
  try {
    const data = Buffer.alloc(bytes)
    for (let at = 0; at < fileBytes; at += bytes) writeSync(file, data, 0, bytes, at)
    fsyncSync(file)
    const times: number[] = []
    for (let index = 0; index < count; index++) {
      const startMs = performance.now()
      writeSync(file, data, 0, bytes, (index * bytes) % fileBytes)
      fsyncSync(file)
      times.push(performance.now() - startMs)
      // A disk that is never left alone is faster.
      await delay(1)
    }
    return times
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}
