import type { ChatCompletion, ChatCompletionChunk } from '../../protocol/chat/chat-completion.ts'
import type { ChatCompletionRequest } from '../../protocol/chat/chat-request.ts'
import type { InputTokens } from '../../protocol/chat/input-tokens.ts'
import type { Usage } from '../../protocol/chat/usage.ts'
import type { Key } from '../../protocol/key.ts'
import { modelId } from '../../protocol/chat/model-id.ts'
import type { Model } from '../../protocol/chat/model.ts'
import type { TokenList, TokenizeRequest } from '../../protocol/operations/tokenize.ts'
import type { Receipt, ReceiptList } from '../../protocol/receipt.ts'
import type { Json } from './openapi.ts'

export type OperationExamples = {
  /** Values of the path's parameters. */
  params?: Readonly<Record<string, string>>
  body?: Json
  /** Responses by status and media type. */
  replies: Readonly<Record<number, Readonly<Record<string, Json>>>>
}

const created = 1_780_000_000
const fingerprint = 'fp_2f1c5a9e7b3d'
const request = {
  model: modelId,
  messages: [{ role: 'user', content: 'What is the capital of France?' }],
  max_tokens: 64,
} satisfies ChatCompletionRequest
const usage = {
  prompt_tokens: 15,
  completion_tokens: 8,
  total_tokens: 23,
  prompt_tokens_details: { cached_tokens: 0 },
} satisfies Usage
const completion = {
  id: 'chatcmpl-5f0c1d2e3a4b',
  object: 'chat.completion',
  created,
  model: modelId,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'The capital of France is Paris.', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage,
  system_fingerprint: fingerprint,
} satisfies ChatCompletion

type Delta = ChatCompletionChunk['choices'][number]['delta']

function chunk(delta: Delta, finishReason: 'stop' | null): ChatCompletionChunk {
  return {
    id: completion.id,
    object: 'chat.completion.chunk',
    created,
    model: modelId,
    system_fingerprint: fingerprint,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  }
}

const events = [
  chunk({ role: 'assistant', content: '' }, null),
  chunk({ content: 'The capital of France' }, null),
  chunk({ content: ' is Paris.' }, null),
  chunk({}, 'stop'),
].map((event) => JSON.stringify(event))
const stream = [...events, '[DONE]'].map((event) => `data: ${event}\n\n`).join('')

const limits = {
  requests_per_minute: { limit: 60, remaining: 59, reset_ms: 1000 },
  tokens_per_minute: null,
  parallel_requests: null,
  tokens_per_day: { limit: 100_000, remaining: 99_977, reset_ms: 43_200_000 },
  tokens_per_month: null,
} satisfies Key['limits']
const unlimited = {
  requests_per_minute: null,
  tokens_per_minute: null,
  parallel_requests: null,
  tokens_per_day: null,
  tokens_per_month: null,
} satisfies Key['limits']

const key = {
  id: 'key_8d1f4b6a2c',
  object: 'key',
  name: 'laptop',
  created,
  expires: null,
  scopes: ['chat', 'read'],
  limits,
  account_limits: unlimited,
} satisfies Key
const model = {
  id: modelId,
  object: 'model',
  created,
  owned_by: 'pipit',
  context_length: 4096,
  max_model_len: 4096,
} satisfies Model
const receipt = {
  id: 'req_3b9e7c5d1a2f',
  object: 'request',
  created,
  model: modelId,
  route: '/v1/chat/completions',
  stream: false,
  key_id: key.id,
  status: 'completed',
  finish_reason: 'stop',
  usage,
  max_tokens: 64,
  timing: { queue_ms: 0, prefill_ms: 4, decode_ms: 31 },
  seed: 193_847,
  system_fingerprint: fingerprint,
  error: null,
  parameters: {},
  ignored_parameters: [],
} satisfies Receipt

const completed: OperationExamples = {
  body: request,
  replies: { 200: { 'application/json': completion, 'text/event-stream': stream } },
}

/**
 * Example request and responses of each operation, by operation id. The types and a test check them against the
 * schemas.
 */
export const operationExamples: Readonly<Record<string, OperationExamples>> = {
  createChatCompletion: completed,
  createChatCompletionAlias: completed,
  countInputTokens: {
    body: request,
    replies: {
      200: {
        'application/json': {
          object: 'chat.completion.input_tokens',
          model: modelId,
          input_tokens: 15,
          fits: true,
          context_length: 4096,
          tokens_left: 4081,
          max_tokens: 64,
          estimated_wait_ms: 0,
          limits,
          account_limits: unlimited,
        } satisfies InputTokens,
      },
    },
  },
  tokenize: {
    body: { text: ' quiet' } satisfies TokenizeRequest,
    replies: {
      200: {
        'application/json': {
          object: 'tokens',
          model: modelId,
          count: 1,
          tokens: [{ id: 1234, text: ' quiet', bytes: [32, 113, 117, 105, 101, 116] }],
        } satisfies TokenList,
      },
    },
  },
  listModels: { replies: { 200: { 'application/json': { object: 'list', data: [model] } } } },
  retrieveModel: {
    params: { id: modelId },
    replies: { 200: { 'application/json': model } },
  },
  listRequests: {
    replies: {
      200: {
        'application/json': {
          object: 'list',
          data: [receipt],
          has_more: false,
          first_id: receipt.id,
          last_id: receipt.id,
        } satisfies ReceiptList,
      },
    },
  },
  retrieveRequest: {
    params: { id: receipt.id },
    replies: { 200: { 'application/json': receipt } },
  },
  retrieveKey: { replies: { 200: { 'application/json': key } } },
  isAlive: { replies: { 200: { 'application/json': { status: 'alive' } } } },
  isReady: {
    replies: {
      200: {
        'application/json': { status: 'ready', engine: true, ledger: true, accepting: true },
      },
      503: {
        'application/json': { status: 'not ready', engine: false, ledger: true, accepting: true },
      },
    },
  },
}
