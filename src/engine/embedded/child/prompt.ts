import type { ChatMessage } from '../../engine.ts'
import type { NativeEngine } from './addon.ts'
import type { ChatTemplate, PromptPart } from './chat-template.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Longer texts are tokenised on another thread, so that running replies keep flowing. */
const tokenizeHereCharsMax = 8 * 1024

/** A piece of a prompt: a special token of the template, or text that stays text. */
export type PromptPiece = { readonly token: number } | { readonly text: string }

export class PromptBuilder {
  readonly #engine: NativeEngine
  readonly #template: ChatTemplate
  readonly #specialTexts: ReadonlyMap<string, number>
  readonly #specialPattern: RegExp | undefined

  constructor(engine: NativeEngine, template: ChatTemplate, vocabulary: Vocabulary) {
    this.#engine = engine
    this.#template = template
    this.#specialTexts = vocabulary.specialTexts
    this.#specialPattern = patternOf([...vocabulary.specialTexts.keys()])
  }

  /** @throws ConversationRefused */
  async build(messages: readonly ChatMessage[]): Promise<Int32Array> {
    const parts = this.#template.render(messages)
    const chunks: Int32Array[] = []
    for (const piece of splitSpecials(parts, this.#specialTexts, this.#specialPattern)) {
      if ('token' in piece) chunks.push(Int32Array.of(piece.token))
      else if (piece.text.length <= tokenizeHereCharsMax)
        chunks.push(this.#engine.tokenize(piece.text, false))
      else chunks.push(await this.#engine.tokenizeInBackground(piece.text))
    }
    return concatenate(chunks)
  }
}

/**
 * Special tokens come from the template's own text alone. Text between two of them is one piece,
 * whoever wrote it, because it was tokenised together when the model was trained.
 */
export function splitSpecials(
  parts: readonly PromptPart[],
  specialTexts: ReadonlyMap<string, number>,
  pattern: RegExp | undefined,
): PromptPiece[] {
  const pieces: PromptPiece[] = []
  let text = ''
  const endText = (): void => {
    if (text !== '') pieces.push({ text })
    text = ''
  }
  for (const part of parts) {
    const segments = part.written || pattern === undefined ? [part.text] : part.text.split(pattern)
    for (const [index, segment] of segments.entries()) {
      // Splitting by a pattern with a group puts what it matched at the odd places.
      const token = index % 2 === 1 ? specialTexts.get(segment) : undefined
      if (token === undefined) {
        text += segment
      } else {
        endText()
        pieces.push({ token })
      }
    }
  }
  endText()
  return pieces
}

/** The longest text first, because one may begin like another. */
export function patternOf(texts: readonly string[]): RegExp | undefined {
  if (texts.length === 0) return undefined
  const longestFirst = [...texts].sort((a, b) => b.length - a.length)
  const escaped = longestFirst.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(`(${escaped.join('|')})`)
}

function concatenate(chunks: readonly Int32Array[]): Int32Array {
  const tokens = new Int32Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    tokens.set(chunk, offset)
    offset += chunk.length
  }
  return tokens
}
