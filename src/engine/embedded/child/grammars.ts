import { grammarsKeptBytesMax, grammarsKeptMax } from '../../../limits.ts'
import { compileFormat, type ReplyFormat } from '../../reply-format.ts'

/** A cache of compiled reply formats, at most `grammarsKeptMax`; evicts the least recently used. */
export class Grammars {
  readonly #kept = new Map<string, Int32Array>()
  #bytes = 0

  /** Returns the numbers that the native engine reads. @throws SchemaRefused */
  compile(format: ReplyFormat): Int32Array {
    const key = JSON.stringify(format)
    const grammar = this.#kept.get(key) ?? compileFormat(format).toNumbers()
    this.#delete(key)
    this.#kept.set(key, grammar)
    this.#bytes += grammar.byteLength
    for (const oldest of this.#kept.keys()) {
      const fits = this.#kept.size <= grammarsKeptMax && this.#bytes <= grammarsKeptBytesMax
      if (fits || oldest === key) break
      this.#delete(oldest)
    }
    return grammar
  }

  #delete(key: string): void {
    this.#bytes -= this.#kept.get(key)?.byteLength ?? 0
    this.#kept.delete(key)
  }
}
