/**
 * The parameters of a chat request, in the order in which their faults are reported. This table is the only source for
 * the request's schema and OpenAPI, the parser's defaults, the playground's form and the table in docs/api.md. The
 * panel's bundle contains this file, so it imports nothing.
 *
 * For a number, a text, a flag, or a list or map of these, the row is the complete definition. Conversations, formats
 * and tools are objects: their rows have only the bounds and the default, and `protocol/chat/` defines the rest.
 */
export type ChatParameter = NumberWithField | (Keywords & { readonly field?: undefined })

/** A number that has a field in the playground's form. */
export type NumberWithField = Keywords &
  Readonly<{
    type: 'integer' | 'number'
    minimum: number
    maximum: number
    description: string
    field: Readonly<{
      label: string
      /** Replaces the description if the field works differently. */
      help?: string
      /** Replaces the default if an empty field means something else. */
      placeholder?: string
    }>
  }>

/** Keywords of JSON Schema. */
type Keywords = Readonly<{
  type: JsonType | readonly JsonType[]
  minimum?: number
  maximum?: number
  pattern?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  items?: object
  additionalProperties?: object
  propertyNames?: object
  /** Value of an absent parameter. */
  default?: number | boolean | string
  description?: string
}>
type JsonType = 'integer' | 'number' | 'boolean' | 'string' | 'array' | 'object'

const maxTokens = { type: 'integer', minimum: 1, maximum: 2048 } as const
const maxTokensAlias = { ...maxTokens, description: 'Same as `max_tokens`.' } as const
const flag = { type: 'boolean' } as const
const penalty = { type: 'number', minimum: -2, maximum: 2, default: 0 } as const
const thinkingTokens = { type: 'integer', minimum: -1, maximum: 1_000_000 } as const
const sameBudget = {
  ...thinkingTokens,
  description: 'Same as `thinking_token_budget`.',
} as const
const identifier = { type: 'string', maxLength: 512 } as const

export const chatParameters = {
  model: { type: 'string' },
  messages: { type: 'array', minItems: 1, maxItems: 512 },
  /** PIPIT_MAX_TOKENS raises the maximum and sets the default to the same value. */
  max_tokens: {
    ...maxTokens,
    default: 256,
    description: 'The reply is cut off at this length (finish reason length).',
    field: { label: 'Max tokens' },
  },
  max_completion_tokens: maxTokensAlias,
  max_new_tokens: maxTokensAlias,
  n_predict: maxTokensAlias,
  num_predict: maxTokensAlias,
  temperature: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: 0.7,
    description: '0 always picks the most likely token. Higher values vary more.',
    field: { label: 'Temperature' },
  },
  stream: { ...flag, default: false },
  stream_options: { type: 'object' },
  top_p: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'Samples from the most likely tokens whose probabilities add up to this value.',
    field: { label: 'Top P' },
  },
  top_k: {
    type: 'integer',
    minimum: -1,
    maximum: 1000,
    default: 0,
    description: 'Samples from this many of the most likely tokens. 0 or -1: from all.',
    field: { label: 'Top K' },
  },
  min_p: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: 0,
    description: 'Excludes tokens less likely than this fraction of the most likely one.',
    field: { label: 'Min P' },
  },
  seed: {
    type: 'integer',
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'The same seed and request give the same reply. -1: a random one, as without a seed.',
    field: { label: 'Seed' },
  },
  stop: {
    type: ['string', 'array'],
    items: { type: 'string', minLength: 1, maxLength: 256 },
    minLength: 1,
    maxLength: 256,
    maxItems: 4,
    description: 'Ends the reply before the first of these texts.',
  },
  stop_token_ids: {
    type: 'array',
    items: { type: 'integer', minimum: 0 },
    maxItems: 64,
    description: 'Ends the reply before the first of these tokens.',
  },
  presence_penalty: {
    ...penalty,
    description: 'Subtracted once from the logit of every token that is already in the reply.',
    field: { label: 'Presence penalty' },
  },
  frequency_penalty: {
    ...penalty,
    description: 'Subtracted from the logit of a token for each time it is already in the reply.',
    field: { label: 'Frequency penalty' },
  },
  logit_bias: {
    type: 'object',
    additionalProperties: { type: 'number', minimum: -100, maximum: 100 },
    maxProperties: 1024,
    description: 'Maps a token id to a value that is added to its logit. -100 forbids the token.',
  },
  logprobs: {
    ...flag,
    default: false,
    description: 'Returns the log-probability of every token of the reply.',
  },
  top_logprobs: {
    type: 'integer',
    minimum: 0,
    maximum: 20,
    default: 0,
    description:
      'Also returns this many of the most likely tokens at each position. Needs `logprobs`.',
    field: {
      label: 'Top logprobs',
      help: 'Show each token’s probability, and this many of the most likely tokens.',
      placeholder: 'None',
    },
  },
  response_format: { type: 'object' },
  structured_outputs: { type: 'object' },
  guided_json: { type: ['object', 'boolean', 'string'] },
  json_schema: { type: ['object', 'boolean', 'string'] },
  guided_choice: { type: 'array', maxItems: 1000 },
  complete_json: { ...flag, default: true },
  tools: { type: 'array', maxItems: 128 },
  tool_choice: { type: ['string', 'object'], default: 'auto' },
  parallel_tool_calls: {
    ...flag,
    default: true,
    description:
      '`false`: a reply calls at most one tool. With a `tool_choice` that names a function, the default is `false`.',
  },
  enable_thinking: {
    ...flag,
    description:
      'Whether a model with thoughts thinks before it answers. Refused if its chat template does not read it.',
  },
  reasoning_effort: {
    type: 'string',
    pattern: '^[a-z_]+$',
    maxLength: 32,
    description:
      'How much the model thinks, such as `low`, `medium` or `high`; `none` turns thoughts off. Refused if the chat template does not read it.',
  },
  thinking_token_budget: {
    ...thinkingTokens,
    description:
      'The most tokens of thoughts: then the answer is made to begin. `-1`: no limit but `max_tokens`. Default: three quarters of `max_tokens`, or all but 1024.',
  },
  thinking_budget: sameBudget,
  thinking_budget_tokens: sameBudget,
  chat_template_kwargs: {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 1024 },
    maxProperties: 32,
    propertyNames: { type: 'string', maxLength: 64 },
    description:
      'Values for the chat template of the model, such as `{"enable_thinking": false}`. Names that the template does not read are refused.',
  },
  n: {
    type: 'integer',
    minimum: 1,
    maximum: 4,
    default: 1,
    description:
      'The number of choices for the same messages. Choice i is sampled with the seed plus i.',
    field: { label: 'Replies' },
  },
  // The parameters below cannot change the reply.
  user: {
    ...identifier,
    description: 'The end user of the API key: end users share its slots fairly.',
  },
  metadata: {
    type: 'object',
    maxProperties: 16,
    propertyNames: { type: 'string', maxLength: 64 },
    additionalProperties: { type: 'string', maxLength: 512 },
  },
  store: flag,
  service_tier: identifier,
  safety_identifier: {
    ...identifier,
    description: 'The same as `user`, and counts before it.',
  },
  prompt_cache_key: identifier,
} as const satisfies Record<string, ChatParameter>

export type ChatParameterName = keyof typeof chatParameters
