import type { Receipt } from '../../../../protocol/receipt.ts'
import { toCsv } from './csv.ts'

const columns = [
  'id',
  'created',
  'status',
  'key_id',
  'model',
  'route',
  'stream',
  'finish_reason',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'max_tokens',
  'queue_ms',
  'prefill_ms',
  'decode_ms',
  'error_code',
  'error_param',
  'error_message',
] as const

/** A receipt without its parameters. */
export type ExportedReceipt = Readonly<
  Record<(typeof columns)[number], string | number | boolean | null>
>

export function toExportedReceipt(receipt: Receipt): ExportedReceipt {
  const { id, created, status, key_id, model, route, stream, finish_reason, max_tokens } = receipt
  const { usage, timing, error } = receipt
  return {
    id,
    created: new Date(created * 1000).toISOString(),
    status,
    key_id,
    model,
    route,
    stream,
    finish_reason,
    prompt_tokens: usage.prompt_tokens,
    cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    completion_tokens: usage.completion_tokens,
    max_tokens,
    ...timing,
    error_code: error?.code ?? null,
    error_param: error?.param ?? null,
    error_message: error?.message ?? null,
  }
}

export function toReceiptsCsv(receipts: readonly ExportedReceipt[]): string {
  return toCsv(columns, receipts)
}
