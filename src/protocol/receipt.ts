import type { FinishReason, Usage } from './chat-completion.ts'

/** What became of a request. Null where nobody knows, or where it did not get there. */
export type Receipt = {
  id: string
  object: 'request'
  created: number
  model: string
  route: string
  stream: boolean
  key_id: string
  status: 'in_progress' | 'completed' | 'cancelled' | 'refused' | 'failed'
  finish_reason: FinishReason | null
  usage: Usage
  /** Of all choices. */
  max_tokens: number
  timing: { queue_ms: number | null; prefill_ms: number | null; decode_ms: number | null }
  seed: number | null
  system_fingerprint: string | null
  error: { code: string } | null
  parameters: Record<string, unknown>
  ignored_parameters: string[]
}

export type ReceiptList = {
  object: 'list'
  data: Receipt[]
  has_more: boolean
  first_id: string | null
  last_id: string | null
}
