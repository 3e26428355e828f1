import { expect, test } from 'vitest'
import type { Receipt } from '../../usage/receipts.ts'
import { toReceipt } from './to-receipt.ts'

const stored: Receipt = {
  requestId: 'req_1',
  status: 'refused',
  model: 'svc-o1-mini',
  route: '/v1/chat/completions',
  stream: false,
  keyId: 'key_1',
  createdMs: 1_500,
  finishReason: undefined,
  error: { code: 'context_length_exceeded', param: 'messages', message: 'Too long.' },
  promptTokens: 9000,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: undefined,
  maxTokens: 256,
  queueMs: undefined,
  prefillMs: undefined,
  decodeMs: undefined,
  seed: undefined,
  fingerprint: undefined,
  parameters: { user: 'ada' },
  ignored: ['top_a'],
}

test('what a request did not reach is null, and its error is named', () => {
  expect(toReceipt(stored)).toMatchObject({
    id: 'req_1',
    created: 1,
    finish_reason: null,
    usage: { prompt_tokens: 9000, total_tokens: 9000 },
    timing: { queue_ms: null, prefill_ms: null, decode_ms: null },
    seed: null,
    error: { code: 'context_length_exceeded', param: 'messages', message: 'Too long.' },
    parameters: { user: 'ada' },
    ignored_parameters: ['top_a'],
  })
})

test('a completed request has its finish reason and no error', () => {
  const completed = { ...stored, status: 'completed', error: undefined } as const
  expect(toReceipt({ ...completed, finishReason: 'length' })).toMatchObject({
    status: 'completed',
    finish_reason: 'length',
    error: null,
  })
})
