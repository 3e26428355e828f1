import { Type, type Static } from 'typebox'
import {
  choicesMax,
  completionTokensDefault,
  completionTokensMax,
  contentPartsMax,
  descriptionCharsMax,
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
  toolCallIdCharsMax,
  toolsMax,
  topKMax,
  topLogprobsMax,
} from '../limits.ts'
import { orNull } from './or-null.ts'

/** The one model's public name, whatever weights serve it (interface §1). */
export const modelId = 'svc-o1-mini'

export const roles = ['system', 'user', 'assistant', 'tool'] as const
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

const functionName = { pattern: '^[a-zA-Z0-9_-]{1,64}$' }

export const MessageToolCall = Type.Object({
  id: Type.String({ minLength: 1, maxLength: toolCallIdCharsMax }),
  type: Type.Unsafe<'function'>({ type: 'string', enum: ['function'] }),
  function: Type.Object({
    name: Type.String(functionName),
    arguments: Type.String({ description: 'The text of a JSON object.' }),
  }),
})
export type MessageToolCall = Static<typeof MessageToolCall>

export const Message = Type.Object({
  role: Type.Unsafe<Role>({ type: 'string', enum: [...roles] }),
  content: Type.Optional(
    Type.Unsafe<string | TextPart[] | null>({
      type: ['string', 'array', 'null'],
      items: TextPart,
      maxItems: contentPartsMax,
      description:
        'The text, or a list of text parts that are joined in order. Required, but for an assistant that calls tools.',
    }),
  ),
  tool_calls: nullable<MessageToolCall[]>('array', {
    items: MessageToolCall,
    maxItems: toolsMax,
    description: 'Of the assistant: the tools it called.',
  }),
  tool_call_id: nullable<string>('string', {
    maxLength: toolCallIdCharsMax,
    description: 'Of a tool: the call that this is the result of. An earlier message must have it.',
  }),
})
export type Message = Static<typeof Message>

export const StreamOptions = Type.Object({
  include_usage: nullable<boolean>('boolean', {
    description: 'One more chunk before `[DONE]` with `choices: []` and the usage.',
  }),
  include_obfuscation: nullable<boolean>('boolean'),
})

const schema = Type.Unsafe<object | boolean>({ type: ['object', 'boolean'] })

export const ResponseFormat = Type.Object({
  type: Type.Unsafe<'text' | 'json_object' | 'json_schema'>({
    type: 'string',
    enum: ['text', 'json_object', 'json_schema'],
  }),
  json_schema: Type.Optional(
    Type.Object({
      name: Type.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }),
      description: nullable<string>('string', { maxLength: descriptionCharsMax }),
      schema,
      strict: nullable<boolean>('boolean', {
        description: 'A schema is enforced in any case, or refused.',
      }),
    }),
  ),
  schema: Type.Optional(
    Type.Unsafe<object | boolean>({
      ...schema,
      description: 'Of `json_object`, as some clients send it: the same as `json_schema.schema`.',
    }),
  ),
})

export const FunctionTool = Type.Object({
  type: Type.Unsafe<'function'>({ type: 'string', enum: ['function'] }),
  function: Type.Object({
    name: Type.String(functionName),
    description: nullable<string>('string', { maxLength: descriptionCharsMax }),
    parameters: nullable<object>('object', {
      description: 'JSON Schema of the arguments; none are taken without it.',
    }),
    strict: nullable<boolean>('boolean', {
      description: 'The schema is enforced in any case, or refused.',
    }),
  }),
})

export const NamedToolChoice = Type.Object({
  type: Type.Unsafe<'function'>({ type: 'string', enum: ['function'] }),
  function: Type.Object({ name: Type.String() }),
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
      description: '`none`, `auto`, `required`, or the one function that is to be called.',
    }),
  ),
  parallel_tool_calls: nullable<boolean>('boolean', {
    default: true,
    description: 'Whether a reply may call more than one tool.',
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
})
export type ChatCompletionRequest = Static<typeof ChatCompletionRequest>

export const finishReasons = ['stop', 'length', 'tool_calls'] as const
export const FinishReason = Type.Unsafe<(typeof finishReasons)[number]>({
  type: 'string',
  enum: [...finishReasons],
  description:
    '`length`: cut by `max_tokens`, or the context window is full. `tool_calls`: it ends with a call.',
})
export type FinishReason = Static<typeof FinishReason>

export const Usage = Type.Object({
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer({ description: 'Every sampled token of all choices.' }),
  total_tokens: Type.Integer(),
  prompt_tokens_details: Type.Object({
    cached_tokens: Type.Integer({ description: 'Of the prompt: found in the KV cache.' }),
  }),
})
export type Usage = Static<typeof Usage>

const tokenLogprob = {
  token: Type.String(),
  logprob: Type.Number(),
  bytes: orNull(Type.Array(Type.Integer())),
}
export const Logprobs = Type.Object(
  {
    content: Type.Array(
      Type.Object({ ...tokenLogprob, top_logprobs: Type.Array(Type.Object(tokenLogprob)) }),
    ),
    refusal: Type.Null(),
  },
  {
    description:
      "Natural logarithms of the model's own probabilities, before temperature, biases and penalties.",
  },
)
export type Logprobs = Static<typeof Logprobs>

const head = {
  id: Type.String({ description: 'The same in every chunk of a stream.' }),
  created: Type.Integer({ description: 'In seconds since 1970.' }),
  model: Type.String(),
  system_fingerprint: Type.String({
    description: 'Changes with the weights, the chat template and the engine build.',
  }),
}

export const ChatCompletion = Type.Object({
  ...head,
  object: Type.Literal('chat.completion'),
  choices: Type.Array(
    Type.Object({
      index: Type.Integer(),
      message: Type.Object({
        role: Type.Literal('assistant'),
        content: orNull(Type.String()),
        refusal: Type.Null(),
        tool_calls: Type.Optional(Type.Array(MessageToolCall)),
      }),
      logprobs: orNull(Logprobs),
      finish_reason: FinishReason,
    }),
  ),
  usage: Usage,
})
export type ChatCompletion = Static<typeof ChatCompletion>

export const ChatCompletionChunk = Type.Object({
  ...head,
  object: Type.Literal('chat.completion.chunk'),
  choices: Type.Array(
    Type.Object({
      index: Type.Integer(),
      delta: Type.Object({
        role: Type.Optional(Type.Literal('assistant')),
        content: Type.Optional(Type.String()),
        tool_calls: Type.Optional(
          Type.Array(
            Type.Object({
              index: Type.Integer({ description: 'Which call of the reply.' }),
              id: Type.Optional(Type.String()),
              type: Type.Optional(Type.Literal('function')),
              function: Type.Object({
                name: Type.Optional(Type.String()),
                arguments: Type.String({ description: 'A piece; they are joined in order.' }),
              }),
            }),
          ),
        ),
      }),
      logprobs: orNull(Logprobs),
      finish_reason: orNull(FinishReason),
    }),
  ),
  usage: Type.Optional(orNull(Usage)),
})
export type ChatCompletionChunk = Static<typeof ChatCompletionChunk>
