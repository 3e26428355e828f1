import { noEnd, type StopEnd, StopMatcher } from '../stop-matcher.ts'
import type { Reasoning, ThoughtState } from './dialect.ts'
import { createReasoningReader, type ReasoningReader } from './reasoning-reader.ts'

/** Text to deliver and, for a model with thoughts, the thought before it. */
export type ReadText<Entry = never> = {
  readonly text: string
  readonly reasoning?: string
  readonly reasoningTokens?: number
  /** Entries of the tokens whose text belongs to the content; absent if no entries were given. */
  readonly entries?: readonly Entry[]
}

export type ReadingOptions = {
  /** Set for a model with thoughts. */
  readonly reasoning?: Reasoning | undefined
  readonly thought?: ThoughtState | undefined
  /** Texts from which on stop sequences have no effect, such as the mark of a tool call. */
  readonly until?: StopEnd
  /** True if a grammar ends the answer, such as that of JSON. */
  readonly isFormatted?: boolean
  /** False if no reader of tool calls follows. */
  readonly readsCalls?: boolean
}

/**
 * Reads one reply token by token. Separates thoughts before it looks for stop sequences, so that a stop sequence within
 * a thought does not end the reply. A token may have entries, such as its log-probability. They are passed on once it is
 * known that the token belongs to the content, and dropped if it belongs to a thought, a mark or dropped white space.
 */
export class ReplyReader<Entry = never> {
  readonly #stop: StopMatcher
  readonly #thoughts: ReasoningReader | undefined
  /** Entries of the tokens that may still turn out to be of a thought or a mark, in their order. */
  #held: (readonly Entry[])[] = []

  constructor(stop: readonly string[], options: ReadingOptions = {}) {
    const { reasoning, thought = 'none', until = noEnd } = options
    const { isFormatted = false, readsCalls = true } = options
    this.#stop = new StopMatcher(stop, until)
    this.#thoughts = reasoning && createReasoningReader(reasoning, thought, isFormatted, readsCalls)
  }

  /** Reads the text of one token. `stopped`: a stop sequence is complete, and no text may follow. */
  push(text: string, entries?: readonly Entry[]): ReadText<Entry> & { readonly stopped: boolean } {
    if (this.#thoughts === undefined)
      return { ...this.#stop.push(text), ...(entries && { entries }) }
    this.#held.push(entries ?? [])
    const { text: rest, decided, ...thought } = this.#thoughts.push(text, 1)
    const kept = this.#take(decided)
    return {
      ...this.#stop.push(rest),
      ...thought,
      ...((entries !== undefined || kept.length > 0) && { entries: kept }),
    }
  }

  /**
   * Returns the text held back as a possible start of a stop sequence or a mark, up to a stop sequence in it.
   * @param isCut true if the reply was cut, such as at its limit
   */
  finish(isCut?: boolean): ReadText<Entry> & { readonly stopped: boolean } {
    if (this.#thoughts === undefined) return this.#stop.flush()
    const { text: rest, decided, ...thought } = this.#thoughts.finish(isCut)
    const read = this.#stop.push(rest)
    const { text, stopped } = read.stopped ? { text: '', stopped: true } : this.#stop.flush()
    const entries = this.#take(decided)
    return {
      text: read.text + text,
      stopped,
      ...thought,
      ...(entries.length > 0 && { entries }),
    }
  }

  /** Takes the entries of the next tokens. Returns those of the content. */
  #take(decided: readonly boolean[]): readonly Entry[] {
    return this.#held
      .splice(0, decided.length)
      .flatMap((entries, at) => (decided[at] ? entries : []))
  }
}
