import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(4096)
let used = pool.length

/** Returns random bytes as hexadecimal digits. Takes them from a pool, because each request needs only a few. */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const begin = used
  used += bytes
  return pool.toString('hex', begin, used)
}
