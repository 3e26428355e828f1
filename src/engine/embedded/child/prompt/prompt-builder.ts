import type { ChatMessage, Prompt } from '../../../engine.ts'
import type { Tool } from '../../../tools.ts'
import type { NativeEngine } from '../addon.ts'
import type { ChatTemplate, PromptPart } from './chat-template.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Longer texts are tokenised on another thread, so that they do not delay running replies. */
const tokenizeHereCharsMax = 8 * 1024

/** A piece of a prompt: a special token of the template, or plain text. */
export type PromptPiece =
  | { readonly token: number }
  /** `replyAt`: the index at which an earlier reply of the model begins; it ends with the text. */
  | { readonly text: string; readonly replyAt?: number }

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

  /** Renders and tokenises a conversation. @throws ConversationRefused */
  async build(messages: readonly ChatMessage[], tools: readonly Tool[] = []): Promise<Prompt> {
    const parts = this.#template.render(messages, tools)
    const chunks: Int32Array[] = []
    const replies: number[] = []
    let length = 0
    for (const piece of splitSpecials(parts, this.#specialTexts, this.#specialPattern)) {
      const chunk = 'token' in piece ? Int32Array.of(piece.token) : await this.#tokenize(piece.text)
      if ('text' in piece && piece.replyAt !== undefined) {
        const before = await this.#tokenize(piece.text.slice(0, piece.replyAt))
        const isCutThere = before.every((token, index) => chunk[index] === token)
        if (isCutThere && before.length < chunk.length)
          replies.push(length + before.length, length + chunk.length)
      }
      chunks.push(chunk)
      length += chunk.length
    }
    return { tokens: concatenate(chunks, length), replies: Int32Array.from(replies) }
  }

  async #tokenize(text: string): Promise<Int32Array> {
    return text.length <= tokenizeHereCharsMax
      ? this.#engine.tokenize(text)
      : await this.#engine.tokenizeInBackground(text)
  }
}

/**
 * Splits a prompt at the special tokens of the template's own text. Text between two of them is one
 * piece, even where the template and a user wrote parts of it, because training tokenised it so.
 */
export function splitSpecials(
  parts: readonly PromptPart[],
  specialTexts: ReadonlyMap<string, number>,
  pattern: RegExp | undefined,
): PromptPiece[] {
  const pieces: PromptPiece[] = []
  let text = ''
  let replyAt: number | undefined
  const endText = (): void => {
    if (text !== '') pieces.push({ text, ...(replyAt !== undefined && { replyAt }) })
    text = ''
    replyAt = undefined
  }
  for (const part of parts) {
    const isTemplate = part.source === 'template'
    if (!isTemplate && part.isReply) replyAt ??= text.length
    const segments = isTemplate && pattern !== undefined ? part.text.split(pattern) : [part.text]
    for (const [index, segment] of segments.entries()) {
      // String.split puts the matches of a pattern's group at the odd indexes.
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

/** Returns a pattern that prefers the longest text, because one may be a prefix of another. */
export function patternOf(texts: readonly string[]): RegExp | undefined {
  if (texts.length === 0) return undefined
  const longestFirst = [...texts].sort((a, b) => b.length - a.length)
  const escaped = longestFirst.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(`(${escaped.join('|')})`)
}

function concatenate(chunks: readonly Int32Array[], length: number): Int32Array {
  const tokens = new Int32Array(length)
  let offset = 0
  for (const chunk of chunks) {
    tokens.set(chunk, offset)
    offset += chunk.length
  }
  return tokens
}
