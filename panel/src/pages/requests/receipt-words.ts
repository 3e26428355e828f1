import type { Receipt } from '../../../../src/protocol/receipt.ts'

export const statuses = ['in_progress', 'completed', 'cancelled', 'refused', 'failed'] as const
export type Status = Receipt['status']

export const statusNames: Readonly<Record<Status, string>> = {
  in_progress: 'Running',
  completed: 'Completed',
  cancelled: 'Cancelled',
  refused: 'Refused',
  failed: 'Failed',
}

const endNames = {
  stop: 'The model ended its turn, or a stop sequence came.',
  length: 'The reply was cut: max_tokens or the context window was reached.',
  tool_calls: 'The model called tools.',
} satisfies Record<NonNullable<Receipt['finish_reason']>, string>

/** One or two sentences: what became of the request, and what to do where it did not go well. */
export function explain(receipt: Pick<Receipt, 'status' | 'finish_reason' | 'error'>): string {
  const code = receipt.error?.code
  switch (receipt.status) {
    case 'in_progress':
      return 'The reply is being generated, or waits for a slot.'
    case 'completed':
      return receipt.finish_reason === null
        ? 'The reply is complete.'
        : endNames[receipt.finish_reason]
    case 'cancelled':
      return 'The caller hung up before the end. What was generated until then counts.'
    case 'refused':
    case 'failed':
      return (code && advice.get(code)) ?? unknownCode(receipt.status)
  }
}

const advice: ReadonlyMap<string, string> = new Map([
  [
    'overloaded',
    'Too many requests waited for a slot. Send it again after the time that its retry-after header gave.',
  ],
  ['model_loading', 'The model was being loaded. Send the request again in a moment.'],
  ['shutting_down', 'The service was being stopped. Send the request again.'],
  [
    'ledger_unavailable',
    'What requests cost could not be written, so none was answered. The machine’s disk may be full.',
  ],
  [
    'timeout',
    'The reply took too long, or its reader took nothing. Ask for fewer tokens, or read the stream as it comes.',
  ],
  [
    'engine_failed',
    'The engine stopped while it generated and was started again. Send the request again; the service’s log says why.',
  ],
  [
    'internal_error',
    'The service failed, or was ended in the middle of the reply. Send the request again; its log holds the cause.',
  ],
  [
    'invalid_api_key',
    'The key was revoked, or it expired, while the reply was generated. Use another key.',
  ],
  [
    'rate_limit_exceeded',
    'A limit of the key or of the account was reached. Send less at a time, or raise the limit.',
  ],
  [
    'insufficient_quota',
    'The tokens of the day or the month are spent. Raise the quota, or wait for the next one.',
  ],
  [
    'context_length_exceeded',
    'The messages are longer than the model reads. Send fewer or shorter ones.',
  ],
])

function unknownCode(status: 'refused' | 'failed'): string {
  return status === 'refused'
    ? 'The request was refused before anything was generated. Change what its error named, and send it again.'
    : 'The reply could not be finished. Send the request again.'
}
