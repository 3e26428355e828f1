import type { Reasoning } from '../../../dialect/dialect.ts'
import { thoughtStateAfter } from '../../../dialect/thought-state.ts'
import type { ChatMessage, Prompt, TemplateVariables } from '../../../engine.ts'
import type { Tool } from '../../../tools.ts'
import type { NativeEngine, Tokenizing } from '../addon.ts'
import { ConversationRefused } from './chat-template.ts'
import { type PromptPiece, PromptRenderer, type TemplateSource } from './prompt-pieces.ts'

/** Renders and tokenises conversations. */
export class PromptBuilder {
  readonly #engine: Pick<NativeEngine, 'tokenize' | 'tokenizeInBackground'>
  readonly #renderer: PromptRenderer
  /** The template, to pass to another thread that renders. */
  readonly source: TemplateSource
  readonly #reasoning: Reasoning | undefined

  /** @throws Error when the source is not a template */
  constructor(engine: NativeEngine, source: TemplateSource, reasoning?: Reasoning) {
    this.#engine = engine
    this.#reasoning = reasoning
    this.#renderer = new PromptRenderer(source)
    this.source = source
  }

  /** Prepares a small conversation at once. @throws ConversationRefused, MachineBusy */
  build(
    messages: readonly ChatMessage[],
    tools: readonly Tool[] = [],
    variables?: TemplateVariables,
  ): Prompt {
    return this.#tokenizeNow(this.#renderer.render(messages, tools, variables))
  }

  /** Tokenises a small text outside of any conversation at once. @throws ConversationRefused */
  buildPlain(text: string): Prompt {
    return this.#tokenizeNow(this.#renderer.renderPlain(text))
  }

  #tokenizeNow(pieces: readonly PromptPiece[]): Prompt {
    return this.#join(
      pieces,
      textsOf(pieces).map((text) => this.#tokenizeText(text)),
    )
  }

  #tokenizeText(text: string): Int32Array {
    try {
      return this.#engine.tokenize(text)
    } catch (error) {
      throw new ConversationRefused(error instanceof Error ? error.message : 'it cannot be read')
    }
  }

  /** Tokenises a text that the service itself wrote. The texts of special tokens in it become those tokens. */
  tokenizeMarks(text: string): Int32Array {
    const pieces = this.#renderer.split(text)
    const chunks = textsOf(pieces).map((part) => this.#engine.tokenize(part))
    return join(pieces, chunks).tokens
  }

  /** Tokenises rendered pieces on another thread. */
  tokenize(pieces: readonly PromptPiece[]): { prompt: Promise<Prompt>; cancel: () => void } {
    const { tokens, cancel }: Tokenizing = this.#engine.tokenizeInBackground(textsOf(pieces))
    return { prompt: tokens.then((chunks) => this.#join(pieces, chunks)), cancel }
  }

  #join(pieces: readonly PromptPiece[], chunks: readonly Int32Array[]): Prompt {
    const prompt = join(pieces, chunks)
    if (this.#reasoning === undefined) return prompt
    const end = endOf(pieces, this.source.specialTexts)
    return { ...prompt, thought: thoughtStateAfter(end, this.#reasoning) }
  }
}

/** Returns the last characters of a prompt, enough to hold any mark. */
function endOf(
  pieces: readonly PromptPiece[],
  specialTexts: TemplateSource['specialTexts'],
): string {
  let end = ''
  for (const piece of pieces.slice(-lastPieces))
    if ('text' in piece) end += piece.text.slice(-lastChars)
    else end += [...specialTexts].find(([, token]) => token === piece.token)?.[0] ?? ''
  return end
}

/** Marks consist of at most four special tokens. */
const lastPieces = 8
const lastChars = 256

/** Returns the texts to tokenise: each text and, if it contains an earlier reply, also its part before the reply. */
function textsOf(pieces: readonly PromptPiece[]): string[] {
  const texts: string[] = []
  for (const piece of pieces) {
    if ('token' in piece) continue
    texts.push(piece.text)
    if (piece.replyAt !== undefined) texts.push(piece.text.slice(0, piece.replyAt))
  }
  return texts
}

/** Joins the tokens of the texts with the special ones. */
function join(pieces: readonly PromptPiece[], tokenised: readonly Int32Array[]): Prompt {
  const chunks: Int32Array[] = []
  const replies: number[] = []
  let length = 0
  let next = 0
  for (const piece of pieces) {
    const isToken = 'token' in piece
    const chunk = isToken ? Int32Array.of(piece.token) : (tokenised[next++] ?? new Int32Array())
    if (!isToken && piece.replyAt !== undefined) {
      const before = tokenised[next++] ?? new Int32Array()
      const isCutThere = before.every((token, index) => chunk[index] === token)
      if (isCutThere && before.length < chunk.length)
        replies.push(length + before.length, length + chunk.length)
    }
    chunks.push(chunk)
    length += chunk.length
  }
  return { tokens: concatenate(chunks, length), replies: Int32Array.from(replies) }
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
