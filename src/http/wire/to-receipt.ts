import { finishReasons } from '../../protocol/chat/usage.ts'
import type { Receipt } from '../../protocol/receipt.ts'
import type { Receipt as StoredReceipt } from '../../usage/receipts.ts'
import { toUsage } from './chat/to-usage.ts'
import { unixSeconds } from '../../usage/utc-periods.ts'

export function toReceipt(receipt: StoredReceipt): Receipt {
  return {
    id: receipt.requestId,
    object: 'request',
    created: unixSeconds(receipt.createdMs),
    model: receipt.model,
    route: receipt.route,
    stream: receipt.stream,
    key_id: receipt.keyId,
    status: receipt.status,
    finish_reason: finishReasons.find((reason) => reason === receipt.finishReason) ?? null,
    usage: toUsage(receipt),
    max_tokens: receipt.maxTokens,
    timing: {
      queue_ms: receipt.queueMs ?? null,
      prefill_ms: receipt.prefillMs ?? null,
      decode_ms: receipt.decodeMs ?? null,
    },
    seed: receipt.seed ?? null,
    system_fingerprint: receipt.fingerprint ?? null,
    error: receipt.error ?? null,
    parameters: receipt.parameters,
    ignored_parameters: receipt.ignored,
  }
}
