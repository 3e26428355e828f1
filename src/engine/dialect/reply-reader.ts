import { StopMatcher } from '../stop-matcher.ts'
import type { Reasoning, ThoughtState } from './dialect.ts'
import { createReasoningReader, type ReasoningReader } from './reasoning-reader.ts'

/** Text to deliver and, for a model with thoughts, the thought before it. */
export type ReadText = {
  readonly text: string
  readonly reasoning?: string
  readonly reasoningTokens?: number
}

/**
 * Reads one reply token by token. Separates thoughts before it looks for stop sequences, so that a stop sequence within
 * a thought does not end the reply.
 */
export class ReplyReader {
  readonly #stop: StopMatcher
  readonly #thoughts: ReasoningReader | undefined

  constructor(stop: readonly string[], reasoning?: Reasoning, thought: ThoughtState = 'none') {
    this.#stop = new StopMatcher(stop)
    this.#thoughts = reasoning && createReasoningReader(reasoning, thought)
  }

  /** Reads the text of one token. `stopped`: a stop sequence is complete, and no text may follow. */
  push(text: string): ReadText & { readonly stopped: boolean } {
    if (this.#thoughts === undefined) return this.#stop.push(text)
    const { text: rest, ...thought } = this.#thoughts.push(text, 1)
    return { ...this.#stop.push(rest), ...thought }
  }

  /** Returns the text held back as a possible start of a stop sequence or a mark. */
  finish(): ReadText {
    if (this.#thoughts === undefined) return { text: this.#stop.flush() }
    const { text: rest, ...thought } = this.#thoughts.finish()
    const { text, stopped } = this.#stop.push(rest)
    return { text: stopped ? text : text + this.#stop.flush(), ...thought }
  }
}
