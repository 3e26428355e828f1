/** How a request ended, as the ledger has it, and what that counts as. */
const outcomesByStatus = {
  completed: ['completed', 'length'],
  cancelled: ['client_abort'],
  refused: ['refused'],
  failed: ['revoked', 'engine_crash', 'deadline', 'shutdown', 'internal_error', 'server_crash'],
} as const

export type FinalStatus = keyof typeof outcomesByStatus
export type ReceiptStatus = 'in_progress' | FinalStatus

/** What a service that runs may settle with. */
export type Outcome = Exclude<StoredOutcome, 'server_crash'>
export type StoredOutcome = (typeof outcomesByStatus)[FinalStatus][number]

export const receiptStatuses: readonly ReceiptStatus[] = [
  'in_progress',
  'completed',
  'cancelled',
  'refused',
  'failed',
]

export function outcomesOf(status: FinalStatus): readonly StoredOutcome[] {
  return outcomesByStatus[status]
}

/** What was written by another version counts as failed. */
export function statusOf(outcome: string | null): FinalStatus {
  const statuses: readonly FinalStatus[] = ['completed', 'cancelled', 'refused']
  return statuses.find((status) => outcomesOf(status).some((one) => one === outcome)) ?? 'failed'
}

/** The caller got the reply whole. */
export function isCompleted(outcome: Outcome): boolean {
  return statusOf(outcome) === 'completed'
}

/** Neither that nor given up by the caller. */
export function isError(outcome: Outcome): boolean {
  const status = statusOf(outcome)
  return status === 'refused' || status === 'failed'
}
