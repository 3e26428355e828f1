import type { Receipt } from '../../../../src/protocol/receipt.ts'

export type Status = Receipt['status']

export const statusNames: Readonly<Record<Status, string>> = {
  in_progress: 'In progress',
  completed: 'Completed',
  cancelled: 'Cancelled',
  refused: 'Refused',
  failed: 'Failed',
}

const finishReasonTexts = {
  stop: 'The model finished its reply or reached a stop sequence.',
  length: 'The reply was cut off at max_tokens or at the context window.',
  tool_calls: 'The model called tools.',
} satisfies Record<NonNullable<Receipt['finish_reason']>, string>

/** Explains a request's outcome in one or two sentences, with what to do after a failure. */
export function explain(
  receipt: Pick<Receipt, 'status' | 'finish_reason'> & { error: { code: string } | null },
): string {
  const code = receipt.error?.code
  switch (receipt.status) {
    case 'in_progress':
      return 'The reply is being generated.'
    case 'completed':
      return receipt.finish_reason === null
        ? 'The reply is complete.'
        : finishReasonTexts[receipt.finish_reason]
    case 'cancelled':
      return 'The client disconnected before the end. Tokens generated until then are counted.'
    case 'refused':
    case 'failed':
      return (code && advice.get(code)) ?? unknownCode(receipt.status)
  }
}

const advice: ReadonlyMap<string, string> = new Map([
  [
    'overloaded',
    'The queue was full. Send the request again after the time in the retry-after header.',
  ],
  ['model_loading', 'The model was still loading. Send the request again in a moment.'],
  ['shutting_down', 'The service was shutting down. Send the request again.'],
  [
    'ledger_unavailable',
    'Usage could not be recorded, so the request was refused. Check whether the disk is full.',
  ],
  [
    'timeout',
    'The reply took too long, or the client stopped reading. Ask for fewer tokens, or read the stream as it arrives.',
  ],
  [
    'engine_failed',
    'The engine failed during generation and was restarted. Send the request again. The service log has the cause.',
  ],
  [
    'internal_error',
    'The service failed or was stopped during the reply. Send the request again. The service log has the cause.',
  ],
  ['invalid_api_key', 'The key was revoked or expired during the reply. Use another key.'],
  [
    'rate_limit_exceeded',
    'A limit of the key or the account was reached. Send fewer requests, or raise the limit.',
  ],
  [
    'insufficient_quota',
    'The token quota of the day or month is used up. Raise the quota, or wait until it resets.',
  ],
  [
    'context_length_exceeded',
    'The messages exceed the context window. Send fewer or shorter ones.',
  ],
])

function unknownCode(status: 'refused' | 'failed'): string {
  return status === 'refused'
    ? 'The request was refused before generation. Fix what the error names, and send it again.'
    : 'The reply could not be completed. Send the request again.'
}
