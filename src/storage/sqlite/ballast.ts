import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { codeOf } from '../storage-fault.ts'
import { ballastBytes } from '../storage-limits.ts'

/** Part of the file that is written at once. */
const part = Buffer.alloc(1024 * 1024)
/** Number of bytes at the start of a file that tell whether an earlier version filled it with zeros. */
const startBytes = 4096

/**
 * A file that reserves disk space. Deleting it makes room to settle open entries when the disk is full. Its bytes are
 * random, because a file system that compresses would store zeros in no space.
 */
export class Ballast {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Writes the file if it is missing or reserves no space. Returns false if the disk has no room for it. */
  take(): boolean {
    try {
      if (this.#isWhole()) return true
      this.#write('w', ballastBytes)
      return true
    } catch {
      // A partial file would use space and reserve too little.
      this.giveUp()
      return false
    }
  }

  giveUp(): void {
    rmSync(this.#path, { force: true })
  }

  /** Returns true if the disk, or the quota of its user, has no room for a larger file. Gives up the file in any case. */
  hasNoRoom(): boolean {
    try {
      this.#write('a', part.length)
      return false
    } catch (error) {
      return ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
    } finally {
      this.giveUp()
    }
  }

  #isWhole(): boolean {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size !== ballastBytes) return false
    const start = Buffer.alloc(startBytes)
    const file = openSync(this.#path, 'r')
    try {
      readSync(file, start, 0, startBytes, 0)
    } finally {
      closeSync(file)
    }
    return start.some((byte) => byte !== 0)
  }

  #write(flag: 'w' | 'a', bytes: number): void {
    const file = openSync(this.#path, flag, 0o600)
    try {
      for (let written = 0; written < bytes;) {
        // A file system that stores equal blocks once would not reserve space for a repeated part.
        randomFillSync(part)
        written += writeSync(file, part, 0, Math.min(part.length, bytes - written))
      }
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }
}
