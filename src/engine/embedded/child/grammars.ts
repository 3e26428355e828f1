import { grammarsKeptBytesMax, grammarsKeptMax } from '../../../limits.ts'
import { compileFormat, type ReplyFormat } from '../../reply-format.ts'

/** Compiled once for all requests that ask for the same; the least recently used go first. */
export class Grammars {
  readonly #kept = new Map<string, Int32Array>()
  #bytes = 0

  /** As the engine reads it. @throws SchemaRefused */
  compile(format: ReplyFormat): Int32Array {
    const key = JSON.stringify(format)
    const grammar = this.#kept.get(key) ?? compileFormat(format).toNumbers()
    this.#drop(key)
    this.#kept.set(key, grammar)
    this.#bytes += grammar.byteLength
    for (const oldest of this.#kept.keys()) {
      const fits = this.#kept.size <= grammarsKeptMax && this.#bytes <= grammarsKeptBytesMax
      if (fits || oldest === key) break
      this.#drop(oldest)
    }
    return grammar
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.byteLength ?? 0
    this.#kept.delete(key)
  }
}
