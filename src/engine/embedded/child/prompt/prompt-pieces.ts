import type { ChatMessage, TemplateVariables } from '../../../engine.ts'
import type { Tool } from '../../../tools.ts'
import { forgedTextsMax } from '../../../../limits.ts'
import { ChatTemplate, ConversationRefused, type PromptPart } from './chat-template.ts'
import { ForgeableTexts } from './forgery-breaker.ts'

/** A piece of a prompt: a special token of the template, or plain text. */
export type PromptPiece =
  | { readonly token: number }
  /** `replyAt`: the index at which an earlier reply of the model begins. The reply ends with the text. */
  | { readonly text: string; readonly replyAt?: number }

/** The model's chat template and its special tokens. It is plain data, so that any thread can receive it. */
export type TemplateSource = {
  readonly source: string
  /** The source of the template for conversations with tools; undefined if it is the same. */
  readonly toolSource?: string | undefined
  readonly constants: { readonly bos_token: string; readonly eos_token: string }
  readonly specialTexts: ReadonlyMap<string, number>
  /** Texts that mean something only where the template writes them, although the tokenizer finds them anywhere. */
  readonly controlTexts: readonly string[]
  readonly tokenRules?: TokenRules
}

/** Rules of the vocabulary for its special tokens in a prompt. */
type TokenRules = {
  /** The token with which each prompt begins, whether the template writes it or not. */
  readonly firstToken: number | undefined
  /** Special tokens that absorb the white space before them, and those that absorb it after them. */
  readonly trimsBefore: ReadonlySet<number>
  readonly trimsAfter: ReadonlySet<number>
}

/** Renders conversations as pieces of a prompt. */
export class PromptRenderer {
  readonly #template: ChatTemplate
  readonly #toolTemplate: ChatTemplate
  readonly #specialTexts: ReadonlyMap<string, number>
  readonly #specialPattern: RegExp | undefined
  readonly #controlPattern: RegExp | undefined
  readonly #tokenRules: TokenRules | undefined

  /** @throws Error when a source is not a template */
  constructor(template: TemplateSource) {
    const { source, toolSource, constants, specialTexts, controlTexts, tokenRules } = template
    this.#tokenRules = tokenRules
    this.#specialPattern = patternOf([...specialTexts.keys()])
    this.#controlPattern = patternOf(controlTexts)
    const texts = [...specialTexts.keys(), ...controlTexts]
    const forgeable = new ForgeableTexts(texts, patternOf(texts))
    this.#template = new ChatTemplate(source, constants, forgeable)
    this.#toolTemplate =
      toolSource === undefined ? this.#template : new ChatTemplate(toolSource, constants, forgeable)
    this.#specialTexts = specialTexts
  }

  /** @throws ConversationRefused, MachineBusy */
  render(
    messages: readonly ChatMessage[],
    tools: readonly Tool[],
    variables?: TemplateVariables,
  ): PromptPiece[] {
    const template = tools.length === 0 ? this.#template : this.#toolTemplate
    const pieces = this.#split(template.render(messages, tools, variables))
    return this.#tokenRules === undefined ? pieces : applyTokenRules(pieces, this.#tokenRules)
  }

  /** Returns the pieces of a user's text outside of any conversation. @throws ConversationRefused */
  renderPlain(text: string): PromptPiece[] {
    return this.#split([{ source: 'message', text, isReply: false }])
  }

  #split(parts: readonly PromptPart[]): PromptPiece[] {
    return splitSpecials(parts, this.#specialTexts, this.#specialPattern, this.#controlPattern)
  }

  /** Splits a text at its special tokens. The service itself wrote this text. */
  split(text: string): PromptPiece[] {
    return splitSpecials([{ source: 'template', text }], this.#specialTexts, this.#specialPattern)
  }
}

/** Adds the first token if the template has not written it, and trims the texts beside tokens. */
export function applyTokenRules(
  pieces: readonly PromptPiece[],
  { firstToken, trimsBefore, trimsAfter }: TokenRules,
): PromptPiece[] {
  const isTrimmed = (piece: PromptPiece | undefined, by: ReadonlySet<number>) =>
    piece !== undefined && 'token' in piece && by.has(piece.token)
  const trimmed = pieces.flatMap((piece, index): PromptPiece[] => {
    if ('token' in piece) return [piece]
    let { text } = piece
    if (isTrimmed(pieces[index - 1], trimsAfter)) text = text.replace(leadingSpace, '')
    const cut = piece.text.length - text.length
    if (isTrimmed(pieces[index + 1], trimsBefore)) text = withoutTrailingSpace(text)
    if (text === '') return []
    const { replyAt } = piece
    return [{ text, ...(replyAt !== undefined && { replyAt: Math.max(0, replyAt - cut) }) }]
  })
  const [first] = trimmed
  const isThere = first !== undefined && 'token' in first && first.token === firstToken
  return firstToken === undefined || isThere ? trimmed : [{ token: firstToken }, ...trimmed]
}

/** White space in the sense of llama.cpp. */
const leadingSpace = /^[ \t-\r]+/

function withoutTrailingSpace(text: string): string {
  let end = text.length
  while (end > 0 && leadingSpace.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}

/**
 * Splits a prompt at the special tokens of the template's own text. The text between two of them is one
 * piece, even if the template wrote one part of it and a user another: the training data was tokenised
 * that way. But a control text that a user wrote is cut in two, so that it stays text.
 * @throws ConversationRefused
 */
export function splitSpecials(
  parts: readonly PromptPart[],
  specialTexts: ReadonlyMap<string, number>,
  pattern: RegExp | undefined,
  controlPattern?: RegExp,
): PromptPiece[] {
  const pieces: PromptPiece[] = []
  let text = ''
  /** The parts of the text that the template wrote. */
  let written: Span[] = []
  let replyAt: number | undefined
  const endText = (): void => {
    const cuts = controlPattern === undefined ? [] : forgedAt(text, written, controlPattern)
    if (cuts.length > 0)
      for (const [index, end] of [...cuts, text.length].entries())
        pieces.push({ text: text.slice(cuts[index - 1] ?? 0, end) })
    else if (text !== '') pieces.push({ text, ...(replyAt !== undefined && { replyAt }) })
    text = ''
    written = []
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
        if (isTemplate) written.push({ begin: text.length, end: text.length + segment.length })
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

type Span = { begin: number; end: number }

/** Returns the indexes at which to cut a text. Breaks up each control text that a user wrote, in whole or in part. */
function forgedAt(text: string, written: readonly Span[], controlPattern: RegExp): number[] {
  const cuts: number[] = []
  const pattern = new RegExp(controlPattern, 'g')
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [{ length }, index] = [match[0], match.index]
    const end = index + length
    // A control text may begin within another one.
    pattern.lastIndex = index + 1
    if (written.some((span) => span.begin <= index && end <= span.end)) continue
    // Control texts begin with a character of one unit, such as `<`.
    cuts.push(index + 1)
    if (cuts.length > forgedTextsMax)
      throw new ConversationRefused('it contains too many control texts of the model')
  }
  return cuts
}

/** Returns a pattern that prefers the longest text, because one may be a prefix of another. */
export function patternOf(texts: readonly string[]): RegExp | undefined {
  if (texts.length === 0) return undefined
  const longestFirst = [...texts].sort((a, b) => b.length - a.length)
  const escaped = longestFirst.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(`(${escaped.join('|')})`)
}
