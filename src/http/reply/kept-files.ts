import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Keeps the files of one folder in memory, at most `bytesMax` in total. A file is read on first use, and all responses
 * share that copy. A file for which no room is left is read on each use.
 */
export class KeptFiles {
  readonly #folder: string
  readonly #bytesMax: number
  readonly #names: ReadonlySet<string>
  readonly #kept = new Map<string, Promise<Buffer>>()
  #keptBytes = 0

  constructor(folder: string, bytesMax: number) {
    this.#folder = folder
    this.#bytesMax = bytesMax
    this.#names = new Set(existsSync(folder) ? readdirSync(folder) : [])
  }

  /** Reports whether the folder had the file when the service started. */
  has(name: string): boolean {
    return this.#names.has(name)
  }

  read(name: string): Promise<Buffer> {
    const kept = this.#kept.get(name)
    if (kept !== undefined) return kept
    const reading = readFile(join(this.#folder, name))
    this.#kept.set(name, reading)
    void reading.then(
      ({ length }) => this.#account(name, length),
      () => this.#kept.delete(name),
    )
    return reading
  }

  #account(name: string, bytes: number): void {
    if (this.#keptBytes + bytes > this.#bytesMax) this.#kept.delete(name)
    else this.#keptBytes += bytes
  }
}
