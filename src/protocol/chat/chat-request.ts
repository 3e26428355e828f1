import { Type, type Static } from 'typebox'
import {
  choicesMax,
  completionTokensDefault,
  completionTokensMax,
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
  toolsMax,
  topKMax,
  topLogprobsMax,
} from '../../limits.ts'
import { modelId } from '../model.ts'
import { FunctionTool, NamedToolChoice } from './function-tool.ts'
import { Message } from './message.ts'
import { nullable } from './nullable.ts'
import { ResponseFormat } from './response-format.ts'

const penalty = (description: string) =>
  nullable<number>('number', {
    minimum: -penaltyMax,
    maximum: penaltyMax,
    default: 0,
    description,
  })

const StreamOptions = Type.Object({
  include_usage: nullable<boolean>('boolean', {
    description: 'Adds a chunk before `[DONE]` with `choices: []` and the usage.',
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
    description: 'Same as `max_tokens`.',
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
    description: 'Samples from this many of the most likely tokens. 0: from all.',
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
  presence_penalty: penalty(
    'Subtracted once from the logit of every token that is already in the reply.',
  ),
  frequency_penalty: penalty(
    'Subtracted from the logit of a token for each time it is already in the reply.',
  ),
  logit_bias: nullable<Record<string, number>>('object', {
    additionalProperties: { type: 'number', minimum: -logitBiasMax, maximum: logitBiasMax },
    maxProperties: logitBiasEntriesMax,
    description: 'Maps a token id to a value that is added to its logit. -100 forbids the token.',
  }),
  logprobs: nullable<boolean>('boolean', {
    default: false,
    description: 'Returns the log-probability of every token of the reply.',
  }),
  top_logprobs: nullable<number>('integer', {
    minimum: 0,
    maximum: topLogprobsMax,
    description:
      'Also returns this many of the most likely tokens at each position. Needs `logprobs`.',
  }),
  response_format: Type.Optional(
    Type.Unsafe<Static<typeof ResponseFormat> | null>({
      ...ResponseFormat,
      type: ['object', 'null'],
    }),
  ),
  tools: nullable<Static<typeof FunctionTool>[]>('array', {
    items: FunctionTool,
    maxItems: toolsMax,
  }),
  tool_choice: Type.Optional(
    Type.Unsafe<string | Static<typeof NamedToolChoice> | null>({
      ...NamedToolChoice,
      type: ['string', 'object', 'null'],
      default: 'auto',
      description: '`none`, `auto`, `required`, or the function to call.',
    }),
  ),
  parallel_tool_calls: nullable<boolean>('boolean', {
    default: true,
    description: '`false`: a reply calls at most one tool.',
  }),
  n: nullable<number>('integer', {
    minimum: 1,
    maximum: choicesMax,
    default: 1,
    description:
      'The number of choices for the same messages. Choice i is sampled with the seed plus i.',
  }),
  // None of the following can change the reply.
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
})
export type ChatCompletionRequest = Static<typeof ChatCompletionRequest>
