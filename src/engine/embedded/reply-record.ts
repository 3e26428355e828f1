import { createHash, type Hash } from 'node:crypto'
import type { SampledLogprob } from '../engine.ts'

/** A part of a reply, as the engine process reports it. */
export type ReplyPart = {
  readonly text: string
  readonly tokens: number
  /** Ids of the sampled tokens. */
  readonly sampled: readonly number[]
  readonly logprobs?: readonly SampledLogprob[]
  readonly reasoning?: string
  readonly reasoningTokens?: number
}

/**
 * Remembers the reply of one generation, so that a second run of the same request can continue it. After
 * `rewind`, the parts of the new run are compared with the known reply and dropped. Runs are compared by content,
 * because they may divide the same reply into different parts. The request's `maxTokens` bounds the record's size.
 */
export class ReplyRecord {
  /** The known reply: everything that any run has reported. */
  readonly #known = { text: '', tokens: 0, reasoning: '', reasoningTokens: 0, logprobs: 0 }
  readonly #sampled: number[] = []
  /** The place up to which the current run has reported. */
  #place = startOfReply
  /** Digest of the log-probabilities up to `#place`, which are too large to keep. */
  #digest: Hash | undefined
  /** Digest of the known log-probabilities; undefined before the first `rewind`. */
  #knownDigest: string | undefined

  /** Tokens of the known reply. */
  get tokens(): number {
    return this.#known.tokens
  }

  /** The tokens of the known reply, for the next engine process. */
  get sampled(): Int32Array {
    return Int32Array.from(this.#sampled)
  }

  /** Returns false while a part of the known reply has not been generated again. */
  get isReproduced(): boolean {
    const { text, tokens, reasoning, reasoningTokens, logprobs } = this.#known
    const place = this.#place
    return (
      place.text === text.length &&
      place.tokens === tokens &&
      place.reasoning === reasoning.length &&
      place.reasoningTokens === reasoningTokens &&
      place.logprobs === logprobs
    )
  }

  /** Starts another run of the request, from its first token. */
  rewind(): void {
    if (this.#place.logprobs === this.#known.logprobs)
      this.#knownDigest = this.#digest?.digest('hex')
    this.#digest = undefined
    this.#place = startOfReply
  }

  /**
   * Takes the next part of the current run. Returns only what is new in it; undefined if it differs from the known
   * reply.
   */
  take(part: ReplyPart): ReplyPart | undefined {
    const { reasoning, logprobs } = part
    const known = this.#known
    const place = this.#place
    const newText = textAfter(known.text, place.text, part.text)
    const newReasoning = textAfter(known.reasoning, place.reasoning, reasoning ?? '')
    if (newText === undefined || newReasoning === undefined) return undefined
    if (!this.#takeLogprobs(logprobs ?? [])) return undefined
    const reached = {
      text: place.text + part.text.length,
      tokens: place.tokens + part.tokens,
      reasoning: place.reasoning + (reasoning?.length ?? 0),
      reasoningTokens: place.reasoningTokens + (part.reasoningTokens ?? 0),
      logprobs: place.logprobs + (logprobs?.length ?? 0),
    }
    const newLogprobs = Math.max(0, reached.logprobs - known.logprobs)
    const news = {
      text: newText,
      tokens: Math.max(0, reached.tokens - known.tokens),
      reasoningTokens: Math.max(0, reached.reasoningTokens - known.reasoningTokens),
    }
    const newSampled = part.sampled.slice(part.tokens - news.tokens)
    for (const token of newSampled) this.#sampled.push(token)
    this.#place = reached
    known.text += news.text
    known.tokens += news.tokens
    known.reasoning += newReasoning
    known.reasoningTokens += news.reasoningTokens
    known.logprobs += newLogprobs
    return {
      text: news.text,
      tokens: news.tokens,
      sampled: newSampled,
      ...(reasoning !== undefined && {
        reasoning: newReasoning,
        reasoningTokens: news.reasoningTokens,
      }),
      ...(logprobs && { logprobs: logprobs.slice(logprobs.length - newLogprobs) }),
    }
  }

  /** Returns false if the log-probabilities differ from the known ones. */
  #takeLogprobs(logprobs: readonly SampledLogprob[]): boolean {
    let count = this.#place.logprobs
    for (const logprob of logprobs) {
      this.#digest ??= createHash('sha256')
      this.#digest.update(JSON.stringify(logprob))
      count += 1
      const isCheck = this.#knownDigest !== undefined && count === this.#known.logprobs
      if (isCheck && this.#digest.copy().digest('hex') !== this.#knownDigest) return false
    }
    return true
  }
}

const startOfReply = { text: 0, tokens: 0, reasoning: 0, reasoningTokens: 0, logprobs: 0 }

/**
 * Returns the part of `piece` beyond the end of `known`, if `piece` begins at the index `place` of `known`. Returns
 * undefined if the two differ where they overlap.
 */
function textAfter(known: string, place: number, piece: string): string | undefined {
  const overlap = Math.min(piece.length, known.length - place)
  if (!known.startsWith(piece.slice(0, overlap), place)) return undefined
  return piece.slice(overlap)
}
