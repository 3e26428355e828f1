/** Outcomes in the ledger, by the status on a receipt. */
const outcomesByStatus = {
  completed: ['completed', 'length'],
  cancelled: ['client_abort'],
  refused: ['refused'],
  failed: ['revoked', 'engine_crash', 'deadline', 'shutdown', 'internal_error', 'server_crash'],
} as const

type FinalStatus = keyof typeof outcomesByStatus
export type ReceiptStatus = 'in_progress' | FinalStatus

/** An outcome that a running service may settle with. */
export type Outcome = Exclude<StoredOutcome, 'server_crash'>
type StoredOutcome = (typeof outcomesByStatus)[FinalStatus][number]

export const receiptStatuses: readonly ReceiptStatus[] = [
  'in_progress',
  'completed',
  'cancelled',
  'refused',
  'failed',
]

export const allOutcomes: readonly string[] = Object.values(outcomesByStatus).flat()

export function outcomesOf(status: FinalStatus): readonly StoredOutcome[] {
  return outcomesByStatus[status]
}

/** Returns `failed` for outcomes of other versions. */
export function statusOf(outcome: string | null): FinalStatus {
  const statuses: readonly FinalStatus[] = ['completed', 'cancelled', 'refused']
  return statuses.find((status) => outcomesOf(status).some((one) => one === outcome)) ?? 'failed'
}

/** Returns true if the caller received the whole reply. */
export function isCompleted(outcome: Outcome): boolean {
  return statusOf(outcome) === 'completed'
}

/** Returns true unless the reply was completed or the caller left. */
export function isError(outcome: Outcome): boolean {
  const status = statusOf(outcome)
  return status === 'refused' || status === 'failed'
}

/** Returns null for a reply that is not complete. */
export function finishReasonOf(outcome: Outcome): 'stop' | 'length' | null {
  if (outcome === 'completed') return 'stop'
  return outcome === 'length' ? 'length' : null
}
