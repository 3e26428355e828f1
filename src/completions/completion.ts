import type { ChatMessage, GenerationOptions, SampledLogprob } from '../engine/engine.ts'
import type { ToolFormName } from '../engine/tool-forms/detect-tool-form.ts'
import type { Claim } from '../usage/ledger.ts'

/** A completion to generate, as parsed from the request. */
export type CompletionSpec = {
  requestId: string
  model: string
  route: string
  stream: boolean
  messages: readonly ChatMessage[]
  /** Number of replies to the same messages. */
  choices: number
  /** Applies to each choice; passed to the engine unchanged. */
  generation: GenerationOptions
  /** Parameters that are accepted but have no effect, kept for the receipt. */
  keptParameters: Readonly<Record<string, unknown>>
  /** Unknown parameter names, safe to put into a header. */
  ignoredParameters: readonly string[]
  /** Set for a request with an `Idempotency-Key`. */
  once?: Once | undefined
}

/** The facts of a completion that are the same for all its chunks. */
export type CompletionHead = {
  id: string
  created: number
  model: string
  fingerprint: string
  /** Name of the form in which the model writes tool calls; undefined in a reply that an earlier version kept. */
  toolForm?: ToolFormName | undefined
}

/** The claim on an idempotency key, and the head that is stored with the reply for retries. */
export type Once = { claim: Claim; head: CompletionHead }

export type CompletionUsage = {
  promptTokens: number
  cachedTokens: number
  /** Sum over all choices. */
  completionTokens: number
  /** Completion tokens sampled for thoughts and their marks. Set for a model with thoughts. */
  reasoningTokens?: number
}

export type CompletionEvent =
  | {
      type: 'delta'
      index: number
      text: string
      logprobs?: readonly SampledLogprob[]
      /** Thoughts of the model, which come before `text`. */
      reasoning?: string
    }
  /** Comes once for each choice. The last one comes only after the usage is on disk. */
  | { type: 'finish'; index: number; reason: 'stop' | 'length' }
  /** Comes once, as the last event. */
  | { type: 'usage'; usage: CompletionUsage }
