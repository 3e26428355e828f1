import type { NativeEngine } from './addon.ts'

/** The model's tokens as text. */
export class Vocabulary {
  readonly #bytes: Uint8Array
  readonly #ends: Int32Array
  /** Texts of the tokens that a user must not be able to write. */
  readonly specialTexts: ReadonlyMap<string, number>

  constructor(engine: NativeEngine) {
    const { bytes, ends, flags, specialTexts } = engine.vocabulary()
    this.#bytes = bytes
    this.#ends = ends
    const isSpecial = (id: number): boolean => ((flags[id] ?? 0) & 1) !== 0
    this.specialTexts = new Map(
      Object.entries(specialTexts)
        .map(([id, text]): [string, number] => [text, Number(id)])
        .filter(([text, id]) => text !== '' && isSpecial(id)),
    )
  }

  /** In tokens. */
  get size(): number {
    return this.#ends.length
  }

  /** Empty for special tokens, so that they never leak as text. */
  bytesOf(token: number): Uint8Array {
    return this.#bytes.subarray(token === 0 ? 0 : this.#ends[token - 1], this.#ends[token])
  }

  textOf(specialToken: number): string {
    for (const [text, id] of this.specialTexts) if (id === specialToken) return text
    return ''
  }
}
