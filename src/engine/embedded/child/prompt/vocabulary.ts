import type { NativeEngine } from '../addon.ts'

/** The bytes and texts of the model's tokens. */
export class Vocabulary {
  readonly #bytes: Uint8Array
  readonly #ends: Int32Array
  /** The special tokens by their texts; a user's text must never become one of them. */
  readonly specialTexts: ReadonlyMap<string, number>

  constructor(engine: NativeEngine) {
    const { bytes, ends, specialTexts } = engine.vocabulary()
    this.#bytes = bytes
    this.#ends = ends
    this.specialTexts = new Map(
      Object.entries(specialTexts)
        .map(([id, text]): [string, number] => [text, Number(id)])
        .filter(([text]) => text !== ''),
    )
  }

  get tokenCount(): number {
    return this.#ends.length
  }

  /** Returns no bytes for special tokens, so that they never appear as text. */
  bytesOf(token: number): Uint8Array {
    return this.#bytes.subarray(token === 0 ? 0 : this.#ends[token - 1], this.#ends[token])
  }

  /** Returns the text of a special token; '' for any other, and for undefined. */
  textOf(specialToken: number | undefined): string {
    for (const [text, id] of this.specialTexts) if (id === specialToken) return text
    return ''
  }
}
