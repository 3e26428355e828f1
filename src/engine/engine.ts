/** Text generation by any engine. Knows nothing of HTTP, accounts or storage. */
import type { ReplyFormat } from './reply-format.ts'
import type { ToolCall } from './tools.ts'

type ChatRole = 'system' | 'user' | 'assistant' | 'tool'
export type ChatMessage = {
  readonly role: ChatRole
  readonly content: string
  /** Set in messages of the assistant. */
  readonly toolCalls?: readonly ToolCall[]
  /** Set in a tool's message: the call that it answers. */
  readonly toolCallId?: string
}

/** A conversation in the model's own tokens. It stays valid when the engine process restarts. */
export type Prompt = {
  readonly tokens: Int32Array
  /** Begin and end of each earlier reply of the model in `tokens`, ascending. */
  readonly replies: Int32Array
}

export type Sampling = {
  /** 0 is greedy: `topP`, `topK`, `minP` and `seed` then have no effect. */
  readonly temperature: number
  /** 1 keeps all tokens. */
  readonly topP: number
  /** 0 keeps all tokens. */
  readonly topK: number
  /** 0 keeps all tokens. */
  readonly minP: number
  /** Unsigned, at most 2^53 - 1. The same seed repeats the same tokens. */
  readonly seed: number
  /** -2 to 2; subtracted once from the logit of every token that was sampled before. */
  readonly presencePenalty?: number
  /** -2 to 2; subtracted from a token's logit for each time it was sampled. */
  readonly frequencyPenalty?: number
  /** Added to the token's logit, -100 to 100; -100 forbids it. Applies at temperature 0 too. */
  readonly logitBias?: readonly (readonly [token: number, bias: number])[]
}

/** Parameters of a generation: made by the route, and passed on unchanged. */
export type GenerationOptions = {
  readonly maxTokens: number
  readonly sampling: Sampling
  /** The generation ends before the first of these; their text is not delivered. */
  readonly stop: readonly string[]
  /** Alternatives to report for each sampled token, 0 to 20; undefined reports no log-probabilities. */
  readonly topLogprobs?: number | undefined
  /** The reply conforms to it, unless it ends with `length`, `aborted` or a stop sequence. */
  readonly format?: ReplyFormat | undefined
}

export type GenerationRequest = GenerationOptions & {
  readonly prompt: Prompt
  /** KV cache contents are shared only between generations of the same scope, which is the account. */
  readonly cacheScope: string
}

/** `aborted`: the signal fired; all tokens sampled until then are counted. */
export type EngineFinishReason = 'stop' | 'length' | 'aborted'

export type TokenLogprob = {
  /** Bytes that are no whole character become U+FFFD. */
  readonly text: string
  readonly bytes: readonly number[]
  /** Natural logarithm of the model's probability, before temperature, biases and penalties. */
  readonly logprob: number
}

/** The sampled token, and the likeliest tokens at its place in descending order. */
export type SampledLogprob = TokenLogprob & { readonly top: readonly TokenLogprob[] }

export type GenerationEvent =
  /**
   * `text` is whole UTF-8 and may be empty; `tokens` counts the tokens sampled for it. If requested,
   * `logprobs` has those of them that have text; that text may come with a later delta.
   */
  | { type: 'delta'; text: string; tokens: number; logprobs?: readonly SampledLogprob[] }
  | {
      type: 'finish'
      reason: EngineFinishReason
      /** All sampled tokens, the end-of-turn token included. */
      completionTokens: number
      /** Prompt tokens found in the KV cache. */
      cachedTokens: number
    }

export type EngineInfo = {
  /** Prompt plus completion of one request. */
  readonly contextTokens: number
  readonly slots: number
  readonly vocabularyTokens: number
  /** Set by an engine with a KV cache. */
  readonly memory?: {
    readonly kvBytes: number
    /** Memory that was available before the engine loaded the model. */
    readonly availableBytes: number
  }
  /** Human-readable name of the device that computes. */
  readonly device?: string
  /** Changes with the weights, the template, the engine build, the KV type and the kind of device. */
  readonly fingerprint: string
}

/** Counters since the start of the service, summed over all engine processes. */
export type EngineStats = {
  /** Generations that occupy a slot now. */
  readonly slotsBusy: number
  readonly restarts: number
  readonly steps: number
  /** Prompt tokens that were computed, not found in the KV cache. */
  readonly promptTokens: number
  readonly completionTokens: number
  /** Completion tokens that were accepted from speculation, so that they cost no step of their own. */
  readonly speculativeTokens: number
  /** Prompt tokens that were found in the KV cache. */
  readonly cachedTokens: number
}

export type EngineState = 'loading' | 'ready' | 'restarting' | 'closed'

export interface Engine {
  readonly state: EngineState
  /** Constant after the first load. */
  readonly info: EngineInfo
  /** Process id of the engine process, if it has one now. */
  readonly pid: number | undefined

  stats(): EngineStats

  /**
   * Renders the chat template and tokenises; user text never becomes a special token. Waits while the
   * engine is restarting, until `signal` aborts. Compiles `format` too, so that an unsupported schema
   * is refused before anything is generated.
   * @throws ServiceError invalid_value (the template refuses the conversation), unsupported_value (a
   * schema that cannot be enforced), engine_failed, shutting_down
   */
  prepare(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    format?: ReplyFormat,
  ): Promise<Prompt>

  /**
   * Ends after exactly one `finish`, also when `signal` aborts. The engine has no queue: callers keep
   * at most `info.slots` generations running, and take a slot of `completions/admission/slot-queue` for
   * each. The slot is free when `finish` arrives, when an error is thrown, or when an early `return` resolves.
   * @throws ServiceError engine_failed when the engine dies or hangs, shutting_down
   */
  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<GenerationEvent>

  close(): Promise<void>
}
