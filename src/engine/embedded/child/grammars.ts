import { grammarsKeptBytesMax, grammarsKeptMax } from '../../../limits.ts'
import type { ReplyFormat } from '../../reply-format.ts'

/** A cache of compiled reply formats, at most `grammarsKeptMax`; evicts the least recently used. */
export class Grammars {
  readonly #kept = new Map<string, Int32Array>()
  #bytes = 0

  /** Returns a compiled format as the native engine reads it; undefined if the cache does not have it. */
  find(format: ReplyFormat): Int32Array | undefined {
    const key = JSON.stringify(format)
    const grammar = this.#kept.get(key)
    if (grammar === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, grammar)
    return grammar
  }

  keep(format: ReplyFormat, grammar: Int32Array): void {
    const key = JSON.stringify(format)
    this.#delete(key)
    this.#kept.set(key, grammar)
    this.#bytes += grammar.byteLength + key.length
    for (const oldest of this.#kept.keys()) {
      const fits = this.#kept.size <= grammarsKeptMax && this.#bytes <= grammarsKeptBytesMax
      if (fits || oldest === key) break
      this.#delete(oldest)
    }
  }

  #delete(key: string): void {
    const grammar = this.#kept.get(key)
    if (grammar === undefined) return
    this.#bytes -= grammar.byteLength + key.length
    this.#kept.delete(key)
  }
}
