import type { Reasoning } from '../../dialect/dialect.ts'
import { answerTokensMax } from '../../dialect/dialect-limits.ts'
import type { GenerationRequest } from '../../engine.ts'
import type { NativeThoughts } from './addon.ts'

type ThoughtRequest = Pick<GenerationRequest, 'maxTokens' | 'prompt' | 'thinkingTokensMax'>

/** Tells the native engine how to end a thought in time, and to apply a grammar only after it. */
export class Thoughts {
  readonly #marks: Omit<NativeThoughts, 'place' | 'close' | 'tokensMax'>
  readonly #close: Int32Array
  readonly #closeToGrammar: Int32Array
  readonly #contextTokens: number

  /** @param tokenize reads special tokens in the text */
  constructor(reasoning: Reasoning, contextTokens: number, tokenize: (text: string) => Int32Array) {
    const { form, begin, end, close, answer } = reasoning
    const isChannels = form === 'channels'
    // Does not force the marks that begin an answer: the grammar may be for tool calls, which have other marks.
    const next = isChannels ? '<|start|>assistant' : ''
    const hasMarks = isChannels || answer !== undefined
    this.#marks = {
      begin,
      end,
      repeats: isChannels,
      answerBegins: isChannels ? finalHeaders : (answer?.begins ?? []),
      bridge: tokenize(hasMarks ? next : close.slice(close.indexOf(end) + end.length)),
    }
    this.#close = tokenize(close)
    this.#closeToGrammar = hasMarks ? tokenize(end + next) : this.#close
    this.#contextTokens = contextTokens
  }

  of(
    { maxTokens, prompt, thinkingTokensMax }: ThoughtRequest,
    hasGrammar: boolean,
  ): NativeThoughts {
    const tokensLeft = Math.min(maxTokens, this.#contextTokens - prompt.tokens.length)
    return {
      ...this.#marks,
      place: places[prompt.thought ?? 'none'],
      close: hasGrammar ? this.#closeToGrammar : this.#close,
      tokensMax: thinkingTokensMax ?? thoughtShare(tokensLeft),
    }
  }
}

const places = { none: 'start', open: 'thought', closed: 'answer' } as const

/** Returns the most tokens that a thought may take, so that enough are left for an answer. */
function thoughtShare(tokens: number): number {
  return Math.max(0, tokens - Math.min(Math.ceil(tokens / 4), answerTokensMax))
}

/** Headers that begin an answer in the Harmony format. */
const finalHeaders = [
  '<|channel|>final<|message|>',
  '<|channel|>final <|constrain|>json<|message|>',
]
