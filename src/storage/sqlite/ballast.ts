import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { codeOf } from '../storage-fault.ts'
import { ballastBytes } from '../storage-limits.ts'

const zeros = Buffer.alloc(1024 * 1024)

/** A file of zeros that reserves disk space. Deleting it makes room to settle open entries when the disk is full. */
export class Ballast {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Writes the file if it is missing. Returns false if the disk has no room for it. */
  take(): boolean {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size === ballastBytes) return true
    try {
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
      this.#write('a', zeros.length)
      return false
    } catch (error) {
      return ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
    } finally {
      this.giveUp()
    }
  }

  #write(flag: 'w' | 'a', bytes: number): void {
    const file = openSync(this.#path, flag, 0o600)
    try {
      for (let written = 0; written < bytes;)
        written += writeSync(file, zeros, 0, Math.min(zeros.length, bytes - written))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }
}
