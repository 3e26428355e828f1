import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Bytes that the commit of one request writes to SQLite's journal: eight pages. */
const bytes = 8 * 4096
/** Size of the file, which is overwritten again and again like the journal. */
const fileBytes = 4 * 1024 * 1024

/** Measures how long the disk alone takes to write and flush a commit, `count` times; in ms. */
export async function measureFlushes(count: number): Promise<number[]> {
  // The data directories of the benchmarks are on the same disk.
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
      // Real requests leave pauses between commits, and the disk is slower after a pause.
      await delay(1)
    }
    return times
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}
