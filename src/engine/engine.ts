/** Interface of all text generation engines. Independent of HTTP, accounts and storage. */
import type { Dialect, ThoughtState } from './dialect/dialect.ts'
import type { ReplyFormat } from './reply-format.ts'
import type { ToolCall } from './tools.ts'

type ChatRole = 'system' | 'user' | 'assistant' | 'tool'
export type ChatMessage = {
  readonly role: ChatRole
  readonly content: string
  /** The model's thought before `content`. Set in messages of the assistant. */
  readonly reasoning?: string
  /** Set in messages of the assistant. */
  readonly toolCalls?: readonly ToolCall[]
  /** Set in messages of a tool: id of the call whose result the message contains. */
  readonly toolCallId?: string
}

/** Least log-probability. It stands for minus infinity, too, which JSON cannot express; clients know it from OpenAI. */
export const logprobMin = -9999

/** A conversation in the model's own tokens. It stays valid when the engine process restarts. */
export type Prompt = {
  readonly tokens: Int32Array
  /** True if the number of `tokens` is only an upper bound. */
  readonly isBound?: boolean
  /** Start and end indexes in `tokens` of each earlier reply of the model, ascending. */
  readonly replies: Int32Array
  /** Set for a model with thoughts. Says whether the prompt already begins or ends a thought of the reply. */
  readonly thought?: ThoughtState
  /** Set if `withTexts` was requested. */
  readonly texts?: TokenTexts | undefined
}

/** The texts of a prompt's tokens. */
export type TokenTexts = {
  /** The concatenated bytes of the tokens; special tokens have none. */
  readonly bytes: Uint8Array
  /** End index of each token in `bytes`. */
  readonly ends: Int32Array
  /** Names of the special tokens, by token id. */
  readonly names: Readonly<Record<number, string>>
}

/** Parameters of sampling, within the bounds of `chat-parameters.ts`. */
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
  /** Subtracted once from the logit of every token that was sampled before. */
  readonly presencePenalty?: number
  /** Subtracted from a token's logit for each time it was sampled. */
  readonly frequencyPenalty?: number
  /** Biases added to the logits of tokens; -100 forbids a token. They apply at temperature 0 too. */
  readonly logitBias?: readonly (readonly [token: number, bias: number])[]
}

/** Parameters of a generation, created by the route and passed on unchanged. */
export type GenerationOptions = {
  readonly maxTokens: number
  readonly sampling: Sampling
  /** The generation ends before the first of these; their text is not delivered. */
  readonly stop: readonly string[]
  /** The generation ends with the first of these tokens; its text is not delivered. */
  readonly stopTokens?: readonly number[] | undefined
  /** Number of likely tokens to report for each sampled token; undefined reports no log-probabilities. */
  readonly topLogprobs?: number | undefined
  /** Format that the reply conforms to, unless it ends with `length`, `aborted` or a stop sequence. */
  readonly format?: ReplyFormat | undefined
  readonly variables?: TemplateVariables | undefined
  /** Most tokens of thoughts; then the engine forces the answer to begin. Undefined means a share of `maxTokens`. */
  readonly thinkingTokensMax?: number | undefined
  /** True if the reply must conform to `format` even when it ends with `length`, provided that `maxTokens` suffices. */
  readonly completesFormat?: boolean | undefined
}

/** Values for the chat template, such as `enable_thinking`. */
export type TemplateVariables = Readonly<Record<string, string | number | boolean>>

/** The account and the API key of a request. */
export type PromptCaller = { readonly accountId: string; readonly keyId: string }

export type PrepareOptions = {
  /** Callers take turns where conversations wait. All requests without a caller count as those of a single one. */
  readonly caller?: PromptCaller | undefined
  readonly format?: ReplyFormat | undefined
  readonly variables?: TemplateVariables | undefined
  /** Refuses a conversation that is certainly too long for the context, without counting its tokens. */
  readonly mustFit?: boolean | undefined
  /** Tokenises the content of the only message as it is, without the chat template. */
  readonly isPlain?: boolean | undefined
  /** Adds the text of each token to the result. */
  readonly withTexts?: boolean | undefined
}

export type GenerationRequest = GenerationOptions & {
  readonly prompt: Prompt
  /** Generations share KV cache contents only within the same scope, which is the account. */
  readonly cacheScope: string
  /** Id of the request, sent to an upstream engine for its logs. */
  readonly requestId?: string
  /** Trace that an upstream engine continues. `noteServer` receives the URL of the upstream that gets the request. */
  readonly trace?:
    | { readonly traceparent: string; readonly noteServer?: (url: string) => void }
    | undefined
}

/** `aborted`: the signal fired; all tokens sampled until then are counted. */
export type EngineFinishReason = 'stop' | 'length' | 'aborted'

export type TokenLogprob = {
  /** Bytes that do not form a whole character become U+FFFD. */
  readonly text: string
  readonly bytes: readonly number[]
  /**
   * Natural logarithm of the model's probability, before temperature, biases and penalties. `logprobMin` stands for all
   * that are less.
   */
  readonly logprob: number
}

/** The sampled token, and the likeliest tokens at its position in descending order. */
export type SampledLogprob = TokenLogprob & { readonly top: readonly TokenLogprob[] }

export type GenerationEvent =
  /**
   * `text` consists of complete UTF-8 characters and may be empty. `tokens` counts the tokens sampled for it. If
   * requested, `logprobs` lists the tokens that belong to the answer's text. That text may arrive in a later delta, as
   * may the log-probabilities of a token whose text may still turn out to be a mark.
   */
  | {
      type: 'delta'
      text: string
      tokens: number
      logprobs?: readonly SampledLogprob[]
      /**
       * Thoughts of the model, which come before `text`. `reasoningTokens` counts the tokens of thoughts and their
       * marks.
       */
      reasoning?: string
      /** A negative number corrects earlier deltas. */
      reasoningTokens?: number
      /** Replaces the prompt's token count if `prepare` could only estimate it. */
      promptTokens?: number
    }
  | {
      type: 'finish'
      reason: EngineFinishReason
      /** All sampled tokens, the end-of-turn token included. */
      completionTokens: number
      /** Prompt tokens found in the KV cache. */
      cachedTokens: number
      /** Set for an aborted generation that was never begun, so that not even its prompt was computed. */
      isUnbegun?: true
    }

export type ChatTemplateOrigin = 'model' | 'setting' | 'ChatML'

export type EngineInfo = {
  /** Most tokens of one request, prompt plus completion. */
  readonly contextTokens: number
  readonly slots: number
  readonly vocabularyTokens: number
  /** Set by an engine with a KV cache. */
  readonly memory?: {
    readonly kvBytes: number
    /** Memory that was available before the engine loaded the model. */
    readonly availableBytes: number
  }
  /** Origin of the chat template: the model file, a file set by the operator, or ChatML if there is none. */
  readonly chatTemplate?: ChatTemplateOrigin
  /** Human-readable name of the compute device. */
  readonly device?: string
  /** Name of our own kernels, or `llama.cpp`. Set by an engine that runs the model itself. */
  readonly kernels?: string
  /**
   * Share of the weights in matrix products that our own kernels multiply, from 0 to 1, by size. llama.cpp multiplies
   * the rest.
   */
  readonly ownWeightsShare?: number
  /** Set if our own kernels are not used because their results for this model differ. Describes the difference. */
  readonly kernelsDifference?: string | undefined
  /** Sandbox around the engine process, in a few words. */
  readonly sandbox?: string
  /** Forms in which the model writes its replies, and the variables that its chat template reads. */
  readonly dialect: Dialect
  /** False: the engine ignores `completesFormat`. */
  readonly completesFormat?: false
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
  /** Speculative tokens that were accepted, so they cost no step of their own. */
  readonly speculativeTokens: number
  /** Prompt tokens that were found in the KV cache. */
  readonly cachedTokens: number
}

/** An engine in another process, as this service sees it. Times are in milliseconds since 1970. */
export type UpstreamStatus = {
  /** URL without user and password. */
  readonly url: string
  /** `new`: it has not answered yet; `ejected`: it gets no requests until a probe succeeds. */
  readonly state: 'new' | 'up' | 'ejected'
  /** Requests of this service in flight. */
  readonly inFlight: number
  /** Requests of all clients, by the engine's own metrics. Undefined if it reports none, or none lately. */
  readonly load: { readonly running: number; readonly waiting: number } | undefined
  /** Number of ejections. */
  readonly ejections: number
  readonly ejectedMs: number | undefined
  /** Time of the latest probe. */
  readonly probedMs: number | undefined
  readonly nextProbeMs: number | undefined
  /** The latest failure of a request or a probe. The reason never contains text from the upstream. */
  readonly fault: { readonly atMs: number; readonly reason: string } | undefined
}

export type EngineState = 'loading' | 'ready' | 'restarting' | 'closed'

export interface Engine {
  readonly state: EngineState
  /** Set by the first load. Changes only if the model is switched, or if an upstream reports another context. */
  readonly info: EngineInfo
  /** Process id of the engine process, if it has one now. */
  readonly pid: number | undefined

  stats(): EngineStats

  /**
   * Renders the chat template and tokenises; user text never becomes a special token. Waits while the
   * engine is restarting, until `signal` aborts. Compiles `format` too, so that an unsupported schema
   * is refused before anything is generated. Small conversations do not wait for large ones, and callers take turns.
   * @throws ServiceError invalid_value (the template refuses the conversation), unsupported_value (a
   * schema that cannot be enforced), context_length_exceeded (with `mustFit` only), overloaded (the
   * machine is too busy), engine_failed, shutting_down
   */
  prepare(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    options?: PrepareOptions,
  ): Promise<Prompt>

  /**
   * Generates a reply. Ends after exactly one `finish`, even if `signal` aborts. The engine has no queue: callers keep
   * at most `info.slots` generations running, and take a slot of `completions/admission/slot-queue` for each. The slot
   * is free when `finish` arrives, when an error is thrown, or when an early `return` resolves. While an engine
   * restarts, the events pause. An early `return` or an abort then ends the generation at once.
   * @throws ServiceError engine_failed when the engine dies or hangs and cannot continue the reply, shutting_down,
   * integer_below_min_value (no reply in a format that must be completed fits into `maxTokens`),
   * context_length_exceeded (no such reply fits into the context)
   */
  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<GenerationEvent>

  /**
   * Refuses parameters that the engine does not support, before the request waits for anything. Absent if the engine
   * supports all.
   * @throws ServiceError unsupported_parameter
   */
  requireSupported?(generation: GenerationOptions): void

  /** Returns the status of each upstream. Set by an engine that forwards generations to upstreams. */
  upstreams?(): readonly UpstreamStatus[]

  /**
   * Leases the engine that serves one request. Set by an engine whose model can be replaced. Each request leases once
   * and uses only the leased engine. Waits while no model is loaded, until `signal` aborts.
   * @throws ServiceError overloaded (waited too long), shutting_down
   */
  lease?(signal: AbortSignal): EngineLease | Promise<EngineLease>

  close(): Promise<void>
}

/** The engine that serves one request to its end. */
export type EngineLease = { readonly engine: Engine; readonly release: () => void }
