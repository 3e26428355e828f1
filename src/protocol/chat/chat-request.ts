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
  reasoningEffortCharsMax,
  stopSequenceCharsMax,
  stopSequencesMax,
  stopTokensMax,
  temperatureDefault,
  temperatureMax,
  templateValueCharsMax,
  templateValuesMax,
  thinkingTokensMax,
  toolsMax,
  topKMax,
  topLogprobsMax,
} from '../../limits.ts'
import { ModelId } from '../model.ts'
import { FunctionTool, NamedToolChoice } from './function-tool.ts'
import { Message } from './message.ts'
import { nullable } from './nullable.ts'
import { otherFormats, ResponseFormat } from './response-format.ts'

const penalty = (description: string) =>
  nullable<number>('number', {
    minimum: -penaltyMax,
    maximum: penaltyMax,
    default: 0,
    description,
  })

/** Other names that services of the field have for `max_tokens`. */
export const maxTokensAliases = [
  'max_completion_tokens',
  'max_new_tokens',
  'n_predict',
  'num_predict',
] as const

const maxTokensAlias = () =>
  nullable<number>('integer', {
    minimum: 1,
    maximum: completionTokensMax,
    description: 'Same as `max_tokens`.',
  })

const thinkingBudget = (description: string) =>
  nullable<number>('integer', { minimum: -1, maximum: thinkingTokensMax, description })

const StreamOptions = Type.Object({
  include_usage: nullable<boolean>('boolean', {
    description: 'Adds a chunk before `[DONE]` with `choices: []` and the usage.',
  }),
  include_obfuscation: nullable<boolean>('boolean'),
})

export const ChatCompletionRequest = Type.Object({
  model: ModelId,
  messages: Type.Array(Message, { minItems: 1, maxItems: messagesMax }),
  max_tokens: nullable<number>('integer', {
    minimum: 1,
    maximum: completionTokensMax,
    default: completionTokensDefault,
  }),
  max_completion_tokens: maxTokensAlias(),
  max_new_tokens: maxTokensAlias(),
  n_predict: maxTokensAlias(),
  num_predict: maxTokensAlias(),
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
  stop_token_ids: nullable<number[]>('array', {
    items: { type: 'integer', minimum: 0 },
    maxItems: stopTokensMax,
    description: 'Ends the reply before the first of these tokens.',
  }),
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
  ...otherFormats,
  complete_json: nullable<boolean>('boolean', {
    default: true,
    description:
      'Completes the JSON of a reply within `max_tokens`: near the limit, only tokens are sampled after which it ' +
      'can still be closed. `false` cuts it. The finish reason is `length` in both cases. A `max_tokens` into which no reply in the format ' +
      'fits is refused.',
  }),
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
  enable_thinking: nullable<boolean>('boolean', {
    description:
      'Whether a model with thoughts thinks before it answers. Refused if its chat template does not read it.',
  }),
  reasoning_effort: nullable<string>('string', {
    pattern: '^[a-z_]+$',
    maxLength: reasoningEffortCharsMax,
    description:
      'How much the model thinks, such as `low`, `medium` or `high`; `none` turns thoughts off. Refused if the chat template does not read it.',
  }),
  thinking_token_budget: thinkingBudget(
    'The most tokens of thoughts: then the answer is made to begin. `-1`: no limit but `max_tokens`. Default: three quarters of `max_tokens`, or all but 1024.',
  ),
  thinking_budget: thinkingBudget('Same as `thinking_token_budget`.'),
  thinking_budget_tokens: thinkingBudget('Same as `thinking_token_budget`.'),
  chat_template_kwargs: nullable<Record<string, string | number | boolean>>('object', {
    additionalProperties: {
      type: ['string', 'number', 'boolean'],
      maxLength: templateValueCharsMax,
    },
    maxProperties: templateValuesMax,
    propertyNames: { type: 'string', maxLength: metadataNameCharsMax },
    description:
      'Values for the chat template of the model, such as `{"enable_thinking": false}`. Names that the template does not read are refused.',
  }),
  n: nullable<number>('integer', {
    minimum: 1,
    maximum: choicesMax,
    default: 1,
    description:
      'The number of choices for the same messages. Choice i is sampled with the seed plus i.',
  }),
  // None of the following can change the reply.
  user: nullable<string>('string', {
    maxLength: identifierCharsMax,
    description: 'The end user of the API key: end users share its slots fairly.',
  }),
  metadata: nullable<Record<string, string>>('object', {
    maxProperties: metadataEntriesMax,
    propertyNames: { type: 'string', maxLength: metadataNameCharsMax },
    additionalProperties: { type: 'string', maxLength: metadataValueCharsMax },
  }),
  store: nullable<boolean>('boolean'),
  service_tier: nullable<string>('string', { maxLength: identifierCharsMax }),
  safety_identifier: nullable<string>('string', {
    maxLength: identifierCharsMax,
    description: 'The same as `user`, and counts before it.',
  }),
  prompt_cache_key: nullable<string>('string', { maxLength: identifierCharsMax }),
})
export type ChatCompletionRequest = Static<typeof ChatCompletionRequest>
