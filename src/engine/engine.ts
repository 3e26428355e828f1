/** Text generation, whoever does it. Knows nothing of HTTP, accounts or storage. */
import type { ReplyFormat } from './reply-format.ts'
import type { ToolCall } from './tools.ts'

export type ChatRole = 'system' | 'user' | 'assistant' | 'tool'
export type ChatMessage = {
  readonly role: ChatRole
  readonly content: string
  /** Of an assistant's message. */
  readonly toolCalls?: readonly ToolCall[]
  /** Of a tool's message: which call this is the result of. */
  readonly toolCallId?: string
}

/** A conversation in the model's own tokens. Outlives a restart of the engine process. */
export type Prompt = {
  readonly tokens: Int32Array
  /** Begin and end of each earlier reply of the model in `tokens`, ascending. */
  readonly replies: Int32Array
}

export type Sampling = {
  /** 0 is greedy: the fields down to the seed are then without effect. */
  readonly temperature: number
  /** 1 keeps everything. */
  readonly topP: number
  /** 0 keeps everything. */
  readonly topK: number
  /** 0 keeps everything. */
  readonly minP: number
  /** Unsigned, up to 2^53 - 1; the same seed gives the same tokens again. */
  readonly seed: number
  /** -2 to 2; taken from the logit of every token that was sampled before, once. */
  readonly presencePenalty?: number
  /** -2 to 2; taken from it each time it was sampled. */
  readonly frequencyPenalty?: number
  /** Token and what is added to its logit, -100 to 100; -100 forbids it. Of effect at temperature 0, too. */
  readonly logitBias?: readonly (readonly [token: number, bias: number])[]
}

export type GenerationRequest = {
  readonly prompt: Prompt
  readonly maxTokens: number
  readonly sampling: Sampling
  /** Generation ends before the first of these; none of its text is delivered. */
  readonly stop: readonly string[]
  /** How many alternatives to tell of each sampled token, 0–20; undefined: nothing of any. */
  readonly topLogprobs?: number | undefined
  /** The whole reply fulfils it, unless it ends with `length`, `aborted` or a stop sequence. */
  readonly format?: ReplyFormat | undefined
  /** KV cache contents are shared only between generations of the same scope: the account. */
  readonly cacheScope: string
}

/** `aborted`: the signal fired; everything sampled until then is counted. */
export type EngineFinishReason = 'stop' | 'length' | 'aborted'

export type TokenLogprob = {
  /** Bytes that are no whole character are U+FFFD here. */
  readonly text: string
  readonly bytes: readonly number[]
  /** Natural logarithm of the model's probability, before temperature, biases and penalties. */
  readonly logprob: number
}

/** What was sampled, and the likeliest at its place, likeliest first. */
export type SampledLogprob = TokenLogprob & { readonly top: readonly TokenLogprob[] }

export type GenerationEvent =
  /**
   * `text` is whole UTF-8 and may be empty; `tokens` were sampled for it. `logprobs` are those of
   * them that have text, where they are asked for; that text may come with a later delta.
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
  /** Of an engine that keeps a KV cache. */
  readonly memory?: {
    readonly kvBytes: number
    /** What the engine chose from, before it loaded the model. */
    readonly availableBytes: number
  }
  /** What computes, for people. */
  readonly device?: string
  /** Changes when the weights, the template, the engine build, the KV type or the kind of device change. */
  readonly fingerprint: string
}

export type EngineState = 'loading' | 'ready' | 'restarting' | 'closed'

export interface Engine {
  readonly state: EngineState
  /** Fixed from the first load on. */
  readonly info: EngineInfo

  /**
   * Renders the chat template and tokenises; user text never becomes a special token.
   * While the engine is restarting it waits for it, until `signal` aborts. A format that the reply
   * is to have is compiled here, so that it is refused before anything is generated.
   * @throws ServiceError invalid_value (the template refuses the conversation), unsupported_value (a
   * schema that cannot be enforced), engine_failed, shutting_down
   */
  prepare(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    format?: ReplyFormat,
  ): Promise<Prompt>

  /**
   * Ends after exactly one `finish`, also when `signal` aborts: the slot is then free within one
   * step. What is more than `info.slots` at a time waits inside the engine, in the order of asking.
   * @throws ServiceError engine_failed when the engine dies or hangs, shutting_down
   */
  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<GenerationEvent>

  close(): Promise<void>
}
