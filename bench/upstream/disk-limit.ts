import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

/** A page of PostgreSQL's log, and the size of one of its files, which exists before it is written. */
const pageBytes = 8192
const fileBytes = 16 * 1024 * 1024

/** Returns how many writes of a page, each flushed, the disk takes in a second. */
export function flushPages(durationMs: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-bench-flush-'))
  const file = openSync(join(folder, 'file'), 'w')
  try {
    writeSync(file, Buffer.alloc(fileBytes))
    fsyncSync(file)
    const page = Buffer.alloc(pageBytes, 1)
    const startMs = performance.now()
    let count = 0
    for (; performance.now() - startMs < durationMs; count++) {
      writeSync(file, page, 0, pageBytes, (count * pageBytes) % fileBytes)
      fdatasyncSync(file)
    }
    return (count * 1000) / (performance.now() - startMs)
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Inserts rows of 300 bytes, each with its own commit. Returns their number. */
export async function insertRows(
  url: string,
  connections: number,
  durationMs: number,
): Promise<number> {
  const clients = Array.from({ length: connections }, () => new pg.Client(url))
  const filler = 'x'.repeat(300)
  try {
    await Promise.all(clients.map((client) => client.connect()))
    await clients[0]?.query(
      'create table if not exists single_rows (id bigserial primary key, filler text not null)',
    )
    const endMs = performance.now() + durationMs
    const insert = async (client: pg.Client) => {
      let count = 0
      for (; performance.now() < endMs; count++)
        await client.query({
          name: 'insert',
          text: 'insert into single_rows (filler) values ($1)',
          values: [filler],
        })
      return count
    }
    const counts = await Promise.all(clients.map(insert))
    return counts.reduce((sum, count) => sum + count, 0)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}
