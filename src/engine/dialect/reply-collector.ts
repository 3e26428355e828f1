import { blankCharsMax } from './dialect-limits.ts'

/** Thought and other text in one piece of a reply. */
export type ReplyPart = {
  readonly reasoning: string
  readonly text: string
  /** Tokens that turned out to belong to a thought or its marks. */
  readonly reasoningTokens: number
  /** For each next piece of text that was read to its end: whether a character of it belongs to `text`. */
  readonly decided: readonly boolean[]
}

/** Pieces of the reply that end with the same character. All but the last are empty. */
type Pieces = { readonly count: number; left: number; isContent: boolean }

/** Collects the parts of one `push`, counts the tokens of thoughts, and tells which pieces are in the content. */
export class Collector {
  /** Pieces that are not read to their end yet. */
  readonly #open: Pieces[] = []
  /** Number of empty pieces since the last other one. They are a part of the next character. */
  #empty = 0
  #decided: boolean[] = []
  /** Number of characters written since the last `read`. */
  #written = 0
  #reasoning = ''
  #text = ''
  #reasoningTokens = 0
  /** Tokens that may belong to a thought or not, until `decide` is called. */
  #undecided = 0
  /** White space held back, because it is dropped at the end of a thought. */
  #space = ''
  /** True if the white space since the last other character is too long to hold back. */
  #isSpaceLong = false

  add(text: string, tokens: number, isThought: boolean): void {
    this.#empty += 1
    if (text !== '') {
      this.#open.push({ count: this.#empty, left: text.length, isContent: false })
      this.#empty = 0
    }
    if (isThought) this.#reasoningTokens += tokens
    else this.#undecided += tokens
  }

  decide(isThought: boolean): void {
    if (isThought) this.#reasoningTokens += this.#undecided
    this.#undecided = 0
  }

  think(text: string, isFirst: boolean): void {
    const begun = isFirst ? text.trimStart() : text
    const kept = begun.trimEnd()
    if (kept !== '') {
      this.#reasoning += this.#space + kept
      this.#space = ''
      this.#isSpaceLong = false
    }
    this.#space += begun.slice(kept.length)
    if (this.#space.length > blankCharsMax) this.#isSpaceLong = true
    if (!this.#isSpaceLong) return
    this.#reasoning += this.#space
    this.#space = ''
  }

  endThought(): void {
    this.#space = ''
    this.#isSpaceLong = false
  }

  write(text: string): void {
    this.#text += text
    this.#written += text.length
  }

  /** Writes text that is not in the reply. */
  insert(text: string): void {
    this.#text += text
  }

  /** Notes that the next characters were read. Those written since the last call are the first of them. */
  read(characters: number): void {
    let left = characters
    for (let [next] = this.#open; next !== undefined && left > 0; [next] = this.#open) {
      const size = Math.min(next.left, left)
      if (this.#written > 0) next.isContent = true
      this.#written = Math.max(0, this.#written - size)
      left -= size
      next.left -= size
      if (next.left > 0) break
      this.#open.shift()
      this.#decide(next.count, next.isContent)
    }
    this.#written = 0
  }

  /** Ends the reply, perhaps within a character. */
  end(isContent: boolean): void {
    this.#decide(this.#empty, isContent)
    this.#empty = 0
  }

  #decide(count: number, isContent: boolean): void {
    for (let piece = 0; piece < count; piece++) this.#decided.push(isContent)
  }

  take(): ReplyPart {
    const part = {
      reasoning: this.#reasoning,
      text: this.#text,
      reasoningTokens: this.#reasoningTokens,
      decided: this.#decided,
    }
    this.#decided = []
    this.#reasoning = ''
    this.#text = ''
    this.#reasoningTokens = 0
    return part
  }
}
