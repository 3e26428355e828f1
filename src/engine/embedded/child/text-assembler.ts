import type { ReadText, ReplyReader } from '../../dialect/reply-reader.ts'

/**
 * Decodes the token bytes of one generation as UTF-8. It holds back an incomplete character until
 * its last byte arrives, and leaves it out at the end. The sampler admits invalid bytes only if the
 * vocabulary cannot complete a character; they become U+FFFD, as in the WHATWG Encoding standard.
 */
export class TextAssembler<Entry = never> {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #reader: ReplyReader<Entry>

  constructor(reader: ReplyReader<Entry>) {
    this.#reader = reader
  }

  /** Reads the bytes of one token. `stopped`: a stop sequence is complete, and no text may follow. */
  push(
    bytes: Uint8Array,
    entries?: readonly Entry[],
  ): ReadText<Entry> & { readonly stopped: boolean } {
    return this.#reader.push(this.#decoder.decode(bytes, { stream: true }), entries)
  }

  /**
   * Returns the text that was held back as the possible start of a stop sequence or of a mark.
   * @param isCut true if the reply was cut, such as at its limit
   */
  finish(isCut?: boolean): ReadText<Entry> & { readonly stopped: boolean } {
    return this.#reader.finish(isCut)
  }
}
