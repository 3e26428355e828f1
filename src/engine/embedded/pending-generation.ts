import { createHash } from 'node:crypto'
import type {
  EngineFinishReason,
  GenerationEvent,
  GenerationRequest,
  SampledLogprob,
} from '../engine.ts'
import type { ParentMessage } from './ipc.ts'

type Unread = { text: string; tokens: number; logprobs?: readonly SampledLogprob[] }
type End = { type: 'finish'; event: GenerationEvent } | { type: 'error'; error: Error }

/** A generation as its caller sees it: events that wait until they are read. */
export class PendingGeneration {
  readonly id: number
  readonly #request: GenerationRequest
  /** `sent`: handed over, but nothing is known of it yet. */
  state: 'waiting' | 'sent' | 'running' | 'ended' = 'waiting'
  isAborting = false
  completionTokens = 0
  #cachedTokens = 0
  #unread: Unread | undefined
  #end: End | undefined
  #wake: (() => void) | undefined

  constructor(id: number, request: GenerationRequest) {
    this.id = id
    this.#request = request
  }

  get promptTokens(): number {
    return this.#request.prompt.tokens.length
  }

  toMessage(): ParentMessage {
    const { prompt, maxTokens, sampling, stop, topLogprobs, format, cacheScope } = this.#request
    const generation = { prompt, maxTokens, sampling, stop, topLogprobs, format, cacheScope }
    return { type: 'generate', id: this.id, generation }
  }

  fingerprint(): string {
    const { prompt, format } = this.#request
    const hash = createHash('sha256').update(prompt.tokens)
    if (format !== undefined) hash.update(JSON.stringify(format))
    return hash.digest('base64')
  }

  /** Ends after one `finish`, or throws what it failed with; what was delivered before comes first. */
  async *events(): AsyncGenerator<GenerationEvent> {
    for (;;) {
      if (this.#unread !== undefined) {
        const unread = this.#unread
        this.#unread = undefined
        yield { type: 'delta', ...unread }
      } else if (this.#end?.type === 'finish') {
        yield this.#end.event
        return
      } else if (this.#end?.type === 'error') {
        throw this.#end.error
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    }
  }

  start(cachedTokens: number): void {
    this.state = 'running'
    this.#cachedTokens = cachedTokens
  }

  /** Joined with what a slow reader has not taken yet, so that little piles up. */
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

  #wakeReader(): void {
    this.#wake?.()
    this.#wake = undefined
  }
}
