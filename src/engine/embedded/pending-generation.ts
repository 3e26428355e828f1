import { strict as assert } from 'node:assert'
import { createHash } from 'node:crypto'
import { contextLengthExceeded, ServiceError } from '../../errors.ts'
import type {
  EngineFinishReason,
  GenerationEvent,
  GenerationRequest,
  SampledLogprob,
} from '../engine.ts'
import type { ParentMessage } from './ipc.ts'
import { type ReplyPart, ReplyRecord } from './reply-record.ts'

/**
 * `unsent`: waits for an engine process; `sent`: the process has it and has not reported its start yet;
 * `running`: its prompt is being computed or its reply generated.
 */
type GenerationState = 'unsent' | 'sent' | 'running' | 'ended'

type Unread = {
  text: string
  tokens: number
  logprobs?: readonly SampledLogprob[]
  reasoning?: string
  reasoningTokens?: number
}
type End = { type: 'finish'; event: GenerationEvent } | { type: 'error'; error: Error }

/** One generation in the parent process: its state, and its events until they are read. */
export class PendingGeneration {
  /** Message for the engine process and, if that crashes, for the next one. */
  message: Extract<ParentMessage, { type: 'generate' }>
  state: GenerationState = 'unsent'
  isAborting = false
  /** True if it was running when an engine process ended. */
  isResumed = false
  readonly #record = new ReplyRecord()
  /** Tokens that the first run found in the cache. The cache of a restarted process is empty. */
  #cachedTokens: number | undefined
  #unread: Unread | undefined
  #end: End | undefined
  #wake: (() => void) | undefined

  constructor(id: number, request: GenerationRequest) {
    this.message = { type: 'generate', id, request, known: undefined }
  }

  get id(): number {
    return this.message.id
  }

  get promptTokens(): number {
    return this.message.request.prompt.tokens.length
  }

  /** Sampled tokens; those that a second run repeats are not counted again. */
  get completionTokens(): number {
    return this.#record.tokens
  }

  /** True once an engine process has begun its prompt, also if that process has ended since. */
  get hasBegun(): boolean {
    return this.#cachedTokens !== undefined
  }

  get #tokensMax(): number {
    return this.message.request.maxTokens
  }

  /** Returns a hash of the prompt and the format, for the quarantine. */
  fingerprint(): string {
    const { prompt, format } = this.message.request
    const hash = createHash('sha256').update(prompt.tokens)
    if (format !== undefined) hash.update(JSON.stringify(format))
    return hash.digest('base64')
  }

  /**
   * Returns all unread deltas joined into one, or waits for the next. After the last delta it
   * returns the `finish`, or throws the error that ended the generation.
   */
  async next(): Promise<GenerationEvent> {
    while (this.#unread === undefined && this.#end === undefined) await this.#change()
    if (this.#unread !== undefined) {
      const unread = this.#unread
      this.#unread = undefined
      return { type: 'delta', ...unread }
    }
    assert(this.#end !== undefined, 'a generation without an unread delta has ended')
    if (this.#end.type === 'error') throw this.#end.error
    return this.#end.event
  }

  /** Resolves when the generation has ended, whether or not its events were read. */
  async ended(): Promise<void> {
    while (this.#end === undefined) await this.#change()
  }

  start(cachedTokens: number): void {
    this.state = 'running'
    this.#cachedTokens ??= Math.min(cachedTokens, this.promptTokens)
  }

  /** Resets it to `unsent`. The next engine process generates the known reply again and then continues it. */
  rewind(): void {
    this.state = 'unsent'
    this.isResumed = true
    this.#record.rewind()
    this.message = { ...this.message, known: this.#record.sampled }
  }

  /** Returns the number of new tokens; undefined if the part differs from the known reply or exceeds `maxTokens`. */
  append(part: ReplyPart): number | undefined {
    if (part.tokens > this.#tokensMax) return undefined
    const news = this.#record.take(part)
    if (this.completionTokens > this.#tokensMax) return undefined
    if (news === undefined) return undefined
    if (hasContent(news)) this.#keepUnread(news)
    return news.tokens
  }

  /** Joins the part with the unread ones, so that objects do not pile up behind a slow reader. */
  #keepUnread({ text, tokens, logprobs, reasoning, reasoningTokens = 0 }: ReplyPart): void {
    const unread = (this.#unread ??= { text: '', tokens: 0 })
    unread.text += text
    unread.tokens += tokens
    if (reasoning !== undefined) {
      unread.reasoning = (unread.reasoning ?? '') + reasoning
      unread.reasoningTokens = (unread.reasoningTokens ?? 0) + reasoningTokens
    }
    if (logprobs !== undefined) unread.logprobs = [...(unread.logprobs ?? []), ...logprobs]
    this.#wakeReader()
  }

  /** Returns false, and does nothing, if the reply would end before the known one or after `maxTokens`. */
  finish(reason: EngineFinishReason, completionTokens: number): boolean {
    if (completionTokens > this.#tokensMax) return false
    if (reason !== 'aborted' && !this.#record.isReproduced) return false
    const event: GenerationEvent = {
      type: 'finish',
      reason,
      // A second run may be aborted before the end of the known reply.
      completionTokens: Math.max(completionTokens, this.completionTokens),
      cachedTokens: this.#cachedTokens ?? 0,
      ...(!this.hasBegun && { isUnbegun: true }),
    }
    this.#close({ type: 'finish', event })
    return true
  }

  /** Fails because no reply in the requested format fits into `max_tokens` or into the context. */
  refuseFormat(tokensEnough: number, contextTokens: number): void {
    if (this.promptTokens + tokensEnough > contextTokens) {
      const needs = `a reply in the requested format needs room for ${tokensEnough} more`
      this.fail(contextLengthExceeded(String(this.promptTokens), contextTokens, { needs }))
      return
    }
    const { maxTokens } = this.message.request
    this.fail(
      new ServiceError(
        'integer_below_min_value',
        `\`max_tokens\` is ${maxTokens}, and no reply in the requested format is that short. ` +
          `Set it to at least ${tokensEnough} tokens.`,
        { param: 'max_tokens' },
      ),
    )
  }

  fail(error: Error): void {
    this.#close({ type: 'error', error })
  }

  #close(end: End): void {
    if (this.#end !== undefined) return
    this.state = 'ended'
    this.#end = end
    this.#wakeReader()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve))
  }

  #wakeReader(): void {
    this.#wake?.()
    this.#wake = undefined
  }
}

/** Returns false for a part that only repeats the known reply. */
function hasContent({
  text,
  tokens,
  logprobs,
  reasoning,
  reasoningTokens = 0,
}: ReplyPart): boolean {
  const counts = tokens + reasoningTokens + (logprobs?.length ?? 0)
  return counts > 0 || text !== '' || (reasoning ?? '') !== ''
}
