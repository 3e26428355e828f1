import type { TokenTexts } from '../../../engine.ts'
import type { NativeEngine } from '../addon.ts'

/** The bytes and texts of the model's tokens. */
export class Vocabulary {
  readonly #bytes: Uint8Array
  readonly #ends: Int32Array
  /** The special tokens by their texts; a user's text must never become one of them. */
  readonly specialTexts: ReadonlyMap<string, number>
  /** Special tokens that absorb the white space before them, and those that absorb it after them. */
  readonly trimsBefore: ReadonlySet<number>
  readonly trimsAfter: ReadonlySet<number>
  readonly #userDefinedTexts: ReadonlyMap<string, number>
  /** Bytes of the special tokens that `readMarks` named. */
  readonly #marks = new Map<number, Uint8Array>()
  /** Maximum number of bytes of text per token; undefined if it has no bound. */
  readonly tokenBytesMax: number | undefined

  constructor(engine: NativeEngine) {
    const { bytes, ends, specialTexts, userDefinedTexts, tokenBytesMax, ...trims } =
      engine.vocabulary()
    this.trimsBefore = new Set(trims.trimsBefore)
    this.trimsAfter = new Set(trims.trimsAfter)
    this.tokenBytesMax = tokenBytesMax
    this.#bytes = bytes
    this.#ends = ends
    this.specialTexts = byText(specialTexts)
    this.#userDefinedTexts = byText(userDefinedTexts)
  }

  /**
   * Returns the tokens that structure a conversation but that llama.cpp's tokenizer would also find in a user's text.
   * It matches "user-defined" tokens everywhere, such as gpt-oss's `<|end|>`. Other user-defined tokens, such as runs
   * of spaces or HTML tags, are ordinary text.
   * @param sources chat templates, and texts that have a meaning in replies
   */
  controlTexts(sources: readonly string[]): ReadonlyMap<string, number> {
    const isControl = ([text]: [string, number]) =>
      this.specialTexts.has(text) || hasMeaning(text, sources)
    // Some tokenizers match a whole word with a token of any type, and a mark without letters or digits is one word.
    const isOneWord = ([text]: [string, number]) => !/[\p{L}\p{N}]/u.test(text)
    return new Map([
      ...[...this.#userDefinedTexts].filter(isControl),
      ...[...this.specialTexts].filter(isOneWord),
    ])
  }

  get tokenCount(): number {
    return this.#ends.length
  }

  /**
   * Makes the special tokens that occur in these texts readable: replies and grammars then see the token's own text
   * as its bytes. These tokens separate the parts of a reply. A token that ends the generation still has no bytes.
   */
  readMarks(engine: Pick<NativeEngine, 'readMarks'>, texts: readonly string[]): void {
    const tokens = [...this.specialTexts].filter(([special]) =>
      texts.some((text) => text.includes(special)),
    )
    if (tokens.length === 0) return
    const read = new Set(engine.readMarks(Int32Array.from(tokens, ([, token]) => token)))
    for (const [text, token] of tokens)
      if (read.has(token)) this.#marks.set(token, Buffer.from(text))
  }

  /** Returns no bytes for special tokens other than marks, so that they never appear as text. */
  bytesOf(token: number): Uint8Array {
    const mark = this.#marks.size === 0 ? undefined : this.#marks.get(token)
    return mark ?? this.#ownBytesOf(token)
  }

  #ownBytesOf(token: number): Uint8Array {
    return this.#bytes.subarray(token === 0 ? 0 : this.#ends[token - 1], this.#ends[token])
  }

  textsOf(tokens: Int32Array): TokenTexts {
    // Callers must be able to tell a mark from text that spells it.
    const pieces = Array.from(tokens, (token) => this.#ownBytesOf(token))
    const ends = new Int32Array(tokens.length)
    const names: Record<number, string> = {}
    let end = 0
    for (const [index, { length }] of pieces.entries()) {
      const token = tokens[index] ?? 0
      if (length === 0) names[token] ??= this.textOf(token)
      end += length
      ends[index] = end
    }
    return { bytes: Buffer.concat(pieces), ends, names }
  }

  /** Returns the text of a special token; '' for any other, and for undefined. */
  textOf(specialToken: number | undefined): string {
    for (const [text, id] of this.specialTexts) if (id === specialToken) return text
    return ''
  }
}

/** Matches the marks with which models delimit turns, thoughts and calls. */
const controlForms =
  /^<[|｜].+>$|^<.+[|｜]>$|^\[\/?[A-Z][A-Z_]*\]$|^<\/?[a-z]+_[a-z_]+>$|^<\/?think>$/u

function hasMeaning(text: string, sources: readonly string[]): boolean {
  const isMarkup = /^[\u0021-\uD7FF]./u.test(text) && /[^\p{L}\p{N}\s]/u.test(text)
  return isMarkup && (controlForms.test(text) || sources.some((source) => source.includes(text)))
}

function byText(texts: Readonly<Record<number, string>>): Map<string, number> {
  const entries = Object.entries(texts).map(([id, text]): [string, number] => [text, Number(id)])
  return new Map(entries.filter(([text]) => text !== ''))
}
