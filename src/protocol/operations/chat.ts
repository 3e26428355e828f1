import { Type } from 'typebox'
import { idempotencyKeyCharsMax } from '../../limits.ts'
import { ChatCompletion, ChatCompletionChunk } from '../chat/chat-completion.ts'
import { ChatCompletionRequest } from '../chat/chat-request.ts'
import { InputTokens } from '../chat/input-tokens.ts'
import { documented } from './contract.ts'

const errorsOfEngines = [
  'model_not_found',
  'engine_failed',
  'overloaded',
  'model_loading',
  'shutting_down',
  'ledger_unavailable',
  'timeout',
] as const

export const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: idempotencyKeyCharsMax,
  description: 'Visible ASCII. A repeat under the same key gets the reply of the first.',
})

const completion = {
  method: 'POST',
  headers: Type.Object({ 'idempotency-key': Type.Optional(IdempotencyKey) }),
  body: ChatCompletionRequest,
  description:
    'One JSON object, or with `stream: true` Server-Sent Events. `[DONE]` and the 200 of a whole ' +
    'reply mean that its usage is on disk. A failure after the 200 of a stream is an event with ' +
    '`error`, without `[DONE]`.',
  replies: {
    200: {
      description: 'The completion, or its chunks.',
      content: { 'application/json': ChatCompletion, 'text/event-stream': ChatCompletionChunk },
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
  summary: 'A completion of a conversation',
})

export const createChatCompletionAlias = documented({
  ...completion,
  path: '/v1/chat',
  operationId: 'createChatCompletionAlias',
  summary: 'A completion, under another name',
})

export const countInputTokens = documented({
  method: 'POST',
  path: '/v1/chat/completions/input_tokens',
  body: ChatCompletionRequest,
  operationId: 'countInputTokens',
  summary: 'What a completion of the same body would meet',
  description:
    'Counts the prompt and generates nothing. A prompt that does not fit is a 200 with `fits: false`; ' +
    'whatever else a completion would refuse is refused with the same error.',
  replies: {
    200: {
      description: 'The counts.',
      content: { 'application/json': InputTokens },
      headers: ['x-ignored-parameters'],
    },
  },
  errors: ['unsupported_parameter', 'unsupported_value', ...errorsOfEngines],
})
