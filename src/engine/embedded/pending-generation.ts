import { strict as assert } from 'node:assert'
import { createHash } from 'node:crypto'
import type {
  EngineFinishReason,
  GenerationEvent,
  GenerationRequest,
  SampledLogprob,
} from '../engine.ts'
import type { ParentMessage } from './ipc.ts'

/**
 * `unsent`: waits for an engine process; `sent`: the process has it and has not reported it yet;
 * `running`: its prompt is being computed or its reply generated.
 */
type GenerationState = 'unsent' | 'sent' | 'running' | 'ended'

type Unread = { text: string; tokens: number; logprobs?: readonly SampledLogprob[] }
type End = { type: 'finish'; event: GenerationEvent } | { type: 'error'; error: Error }

/** One generation in the parent process: its state, and its events until they are read. */
export class PendingGeneration {
  /** For the engine process and, if that crashes before the start, for the next one. */
  readonly message: Extract<ParentMessage, { type: 'generate' }>
  state: GenerationState = 'unsent'
  isAborting = false
  completionTokens = 0
  #cachedTokens = 0
  #unread: Unread | undefined
  #end: End | undefined
  #wake: (() => void) | undefined

  constructor(id: number, request: GenerationRequest) {
    this.message = { type: 'generate', id, request }
  }

  get id(): number {
    return this.message.id
  }

  get promptTokens(): number {
    return this.message.request.prompt.tokens.length
  }

  /** Identifies the prompt and the format, for the quarantine. */
  fingerprint(): string {
    const { prompt, format } = this.message.request
    const hash = createHash('sha256').update(prompt.tokens)
    if (format !== undefined) hash.update(JSON.stringify(format))
    return hash.digest('base64')
  }

  /**
   * Returns the deltas that were not read yet as one, or waits for the next. After the last delta it
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
    this.#cachedTokens = cachedTokens
  }

  /** Joins the delta with the unread ones, so that a slow reader does not pile up objects. */
  append({ text, tokens, logprobs }: Unread): void {
    this.completionTokens += tokens
    const unread = (this.#unread ??= { text: '', tokens: 0 })
    unread.text += text
    unread.tokens += tokens
    if (logprobs !== undefined) unread.logprobs = [...(unread.logprobs ?? []), ...logprobs]
    this.#wakeReader()
  }

  finish(reason: EngineFinishReason, completionTokens: number): void {
    const event: GenerationEvent = {
      type: 'finish',
      reason,
      completionTokens,
      cachedTokens: this.#cachedTokens,
    }
    this.#close({ type: 'finish', event })
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
