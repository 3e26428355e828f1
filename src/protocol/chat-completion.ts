import { Type, type Static } from 'typebox'
import {
  choicesMax,
  completionTokensDefault,
  completionTokensMax,
  contentPartsMax,
  identifierCharsMax,
  logitBiasEntriesMax,
  logitBiasMax,
  messagesMax,
  metadataEntriesMax,
  metadataNameCharsMax,
  metadataValueCharsMax,
  penaltyMax,
  seedMax,
  stopSequenceCharsMax,
  stopSequencesMax,
  temperatureDefault,
  temperatureMax,
  topKMax,
  topLogprobsMax,
} from '../limits.ts'

/** The one model's public name, whatever weights serve it (interface §1). */
export const modelId = 'svc-o1-mini'

export const roles = ['system', 'user', 'assistant'] as const
export type Role = (typeof roles)[number]

// A type list instead of a union: `null` means "the default", and a fault then names one keyword.
const nullable = <T>(type: string, keywords: object = {}) =>
  Type.Optional(Type.Unsafe<T | null>({ type: [type, 'null'], ...keywords }))

const penalty = (description: string) =>
  nullable<number>('number', {
    minimum: -penaltyMax,
    maximum: penaltyMax,
    default: 0,
    description,
  })

export const TextPart = Type.Object({
  type: Type.Unsafe<'text'>({ type: 'string', enum: ['text'] }),
  text: Type.String(),
})
export type TextPart = Static<typeof TextPart>

export const Message = Type.Object({
  role: Type.Unsafe<Role>({ type: 'string', enum: [...roles] }),
  content: Type.Unsafe<string | TextPart[]>({
    type: ['string', 'array'],
    items: TextPart,
    maxItems: contentPartsMax,
    description: 'The text, or a list of text parts that are joined in order.',
  }),
})
export type Message = Static<typeof Message>

export const StreamOptions = Type.Object({
  include_usage: nullable<boolean>('boolean', {
    description: 'One more chunk before `[DONE]` with `choices: []` and the usage.',
  }),
  include_obfuscation: nullable<boolean>('boolean'),
})

export const ChatCompletionRequest = Type.Object({
  model: Type.String({ description: `Must be \`${modelId}\`.` }),
  messages: Type.Array(Message, { minItems: 1, maxItems: messagesMax }),
  max_tokens: nullable<number>('integer', {
    minimum: 1,
    maximum: completionTokensMax,
    default: completionTokensDefault,
  }),
  max_completion_tokens: nullable<number>('integer', {
    minimum: 1,
    maximum: completionTokensMax,
    description: 'Another name for `max_tokens`.',
  }),
  temperature: nullable<number>('number', {
    minimum: 0,
    maximum: temperatureMax,
    default: temperatureDefault,
  }),
  stream: nullable<boolean>('boolean', { default: false }),
  stream_options: Type.Optional(
    Type.Unsafe<Static<typeof StreamOptions> | null>({
      ...StreamOptions,
      type: ['object', 'null'],
    }),
  ),
  top_p: nullable<number>('number', { minimum: 0, maximum: 1, default: 1 }),
  top_k: nullable<number>('integer', {
    minimum: 0,
    maximum: topKMax,
    default: 0,
    description: 'Sample among the most likely tokens only; 0: among all.',
  }),
  min_p: nullable<number>('number', { minimum: 0, maximum: 1, default: 0 }),
  seed: nullable<number>('integer', {
    minimum: -seedMax,
    maximum: seedMax,
  }),
  stop: Type.Optional(
    Type.Unsafe<string | string[] | null>({
      type: ['string', 'array', 'null'],
      items: { type: 'string', minLength: 1, maxLength: stopSequenceCharsMax },
      minLength: 1,
      maxLength: stopSequenceCharsMax,
      maxItems: stopSequencesMax,
    }),
  ),
  presence_penalty: penalty('Taken from the logit of every token that the reply has, once.'),
  frequency_penalty: penalty('Taken from the logit of a token as often as the reply has it.'),
  logit_bias: nullable<Record<string, number>>('object', {
    additionalProperties: { type: 'number', minimum: -logitBiasMax, maximum: logitBiasMax },
    maxProperties: logitBiasEntriesMax,
    description: 'Token id → what is added to its logit; -100 forbids the token.',
  }),
  logprobs: nullable<boolean>('boolean', {
    default: false,
    description: 'With the log-probability of every token of the reply.',
  }),
  top_logprobs: nullable<number>('integer', {
    minimum: 0,
    maximum: topLogprobsMax,
    description: 'And of so many that were likeliest at its place. Needs `logprobs`.',
  }),
  n: nullable<number>('integer', {
    minimum: 1,
    maximum: choicesMax,
    default: 1,
    description: 'How many replies to the same messages; reply i is sampled with the seed + i.',
  }),
  // They cannot change the reply.
  user: nullable<string>('string', { maxLength: identifierCharsMax }),
  metadata: nullable<Record<string, string>>('object', {
    maxProperties: metadataEntriesMax,
    propertyNames: { type: 'string', maxLength: metadataNameCharsMax },
    additionalProperties: { type: 'string', maxLength: metadataValueCharsMax },
  }),
  store: nullable<boolean>('boolean'),
  service_tier: nullable<string>('string', { maxLength: identifierCharsMax }),
  safety_identifier: nullable<string>('string', { maxLength: identifierCharsMax }),
  prompt_cache_key: nullable<string>('string', { maxLength: identifierCharsMax }),
  parallel_tool_calls: nullable<boolean>('boolean'),
})
export type ChatCompletionRequest = Static<typeof ChatCompletionRequest>

export type FinishReason = 'stop' | 'length'

export type Usage = {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details: { cached_tokens: number }
}

export type TokenLogprob = { token: string; logprob: number; bytes: number[] | null }
/** Natural logarithms of the model's own probabilities, before temperature, biases and penalties. */
export type Logprobs = {
  content: (TokenLogprob & { top_logprobs: TokenLogprob[] })[]
  refusal: null
}

export type ChatCompletion = {
  id: string
  object: 'chat.completion'
  created: number
  model: string
  choices: {
    index: number
    message: { role: 'assistant'; content: string; refusal: null }
    logprobs: Logprobs | null
    finish_reason: FinishReason
  }[]
  usage: Usage
  system_fingerprint: string
}

export type ChatCompletionChunk = {
  id: string
  object: 'chat.completion.chunk'
  created: number
  model: string
  system_fingerprint: string
  choices: {
    index: number
    delta: { role?: 'assistant'; content?: string }
    logprobs: Logprobs | null
    finish_reason: FinishReason | null
  }[]
  usage?: Usage | null
}
