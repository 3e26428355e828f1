import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { ballastBytes } from '../storage-limits.ts'

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
      this.#write()
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

  #write(): void {
    const zeros = Buffer.alloc(1024 * 1024)
    const file = openSync(this.#path, 'w', 0o600)
    try {
      for (let written = 0; written < ballastBytes;)
        written += writeSync(file, zeros, 0, Math.min(zeros.length, ballastBytes - written))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }
}
