import { Type } from 'typebox'
import { chatParameters } from '../../chat-parameters.ts'
import { idempotencyKeyCharsMax } from '../../limits.ts'
import {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionFailure,
} from '../chat/chat-completion.ts'
import { ChatCompletionRequest, maxTokensAliases } from '../chat/chat-request.ts'
import { InputTokens } from '../chat/input-tokens.ts'
import { documented } from './contract.ts'

/** Errors of every operation that uses the engine. */
export const errorsOfEngines = [
  'model_not_found',
  'engine_failed',
  'overloaded',
  'model_loading',
  'shutting_down',
  'ledger_unavailable',
  'timeout',
] as const

const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: idempotencyKeyCharsMax,
  description:
    'Visible ASCII characters. A retry with the same key gets the reply of the first request.',
})

const RequestTimeoutMs = Type.String({
  description:
    'Milliseconds from 1 to 86400000 that the caller waits. A request that cannot start in time is refused at once.',
})

const EndUserId = Type.String({
  description:
    'The end user of the API key, who shares its slots with the others. Read only from a trusted proxy; others use `safety_identifier` or `user`.',
})

const completion = {
  method: 'POST',
  headers: Type.Object({
    'idempotency-key': Type.Optional(IdempotencyKey),
    'x-request-timeout-ms': Type.Optional(RequestTimeoutMs),
    'x-end-user-id': Type.Optional(EndUserId),
  }),
  body: ChatCompletionRequest,
  description:
    'Replies with one JSON object, or with Server-Sent Events if `stream` is true. When `[DONE]` or the ' +
    'JSON object arrives, the usage is on disk. A stream that fails after its 200 ends with an event with ' +
    '`error` and without `[DONE]`.',
  replies: {
    200: {
      description: 'The completion, or its chunks as events.',
      content: {
        'application/json': ChatCompletion,
        'text/event-stream': Type.Union([ChatCompletionChunk, ChatCompletionFailure]),
      },
      headers: ['x-ignored-parameters', 'idempotency-replayed'],
    },
  },
  errors: [
    'unsupported_parameter',
    'unsupported_value',
    'context_length_exceeded',
    ...errorsOfEngines,
    'idempotency_in_progress',
    'idempotency_mismatch',
    'rate_limit_exceeded',
    'insufficient_quota',
  ],
} as const

export const createChatCompletion = documented({
  ...completion,
  path: '/v1/chat/completions',
  operationId: 'createChatCompletion',
  summary: 'Create a chat completion',
})

export const createChatCompletionAlias = documented({
  ...completion,
  path: '/v1/chat',
  operationId: 'createChatCompletionAlias',
  summary: 'Create a chat completion (alias)',
})

type CompletionTokens = { readonly default: number; readonly max: number }

type LimitedProperties = Pick<
  (typeof ChatCompletionRequest)['properties'],
  'max_tokens' | (typeof maxTokensAliases)[number]
>

/** Returns the contract of a chat request with the default and the maximum of `max_tokens` replaced. */
export function withCompletionTokens<C extends { body: { properties: LimitedProperties } }>(
  contract: C,
  { default: standard, max }: CompletionTokens,
): C {
  // PIPIT_MAX_TOKENS changes the default even where it leaves the maximum as it is.
  if (standard === chatParameters.max_tokens.default) return contract
  const { properties } = contract.body
  const aliases = maxTokensAliases.map((alias) => [alias, { ...properties[alias], maximum: max }])
  const limited = {
    ...properties,
    max_tokens: { ...properties.max_tokens, maximum: max, default: standard },
    ...Object.fromEntries(aliases),
  }
  return { ...contract, body: { ...contract.body, properties: limited } }
}

export const countInputTokens = documented({
  method: 'POST',
  path: '/v1/chat/completions/input_tokens',
  body: ChatCompletionRequest,
  operationId: 'countInputTokens',
  summary: 'Count the tokens of a chat completion',
  description:
    'Counts the tokens of the prompt and generates nothing. A prompt that does not fit gets a 200 with ' +
    '`fits: false`. Other errors are the same as for a completion. Limits of tokens, and whether `max_tokens` is ' +
    'enough for the format, are not checked. Counts as one request against the limits of the key, and uses no tokens.',
  replies: {
    200: {
      description: 'The counts and limits.',
      content: { 'application/json': InputTokens },
      headers: ['x-ignored-parameters'],
    },
  },
  errors: [
    'unsupported_parameter',
    'unsupported_value',
    ...errorsOfEngines,
    'rate_limit_exceeded',
    'insufficient_quota',
  ],
})
