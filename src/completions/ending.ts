import { type ErrorCode, ServiceError } from '../errors.ts'
import type { Outcome } from '../usage/outcome.ts'
import { Interruption } from './interruption.ts'

/** The outcome and the error code with which the ledger settles a completion. */
export type Ending = {
  outcome: Outcome
  /** Code of the error that the caller received, if any. */
  errorCode?: ErrorCode | undefined
}

/** Returns the ending of a completion that failed with `error` while it was generated. */
export function endingOfFailure(error: unknown): Ending {
  if (error instanceof Interruption) return endingOfInterruption(error)
  if (!(error instanceof ServiceError))
    return { outcome: 'internal_error', errorCode: 'internal_error' }
  const { code } = error
  if (code === 'engine_failed') return { outcome: 'engine_crash', errorCode: code }
  if (code === 'shutting_down') return { outcome: 'shutdown', errorCode: code }
  return { outcome: 'internal_error', errorCode: code }
}

/**
 * Returns the ending of a completion that failed with `error` before it was reserved; undefined for
 * a limit of the caller (429), which leaves no entry.
 */
export function endingOfRefusal(error: unknown): Ending | undefined {
  if (!(error instanceof ServiceError) || error.code === 'engine_failed')
    return endingOfFailure(error)
  return error.status === 429 ? undefined : { outcome: 'refused', errorCode: error.code }
}

function endingOfInterruption(interruption: Interruption): Ending {
  const errorCode = interruption.toServiceError().code
  switch (interruption.reason) {
    case 'client_abort':
    case 'slow_reader':
      return { outcome: 'client_abort' }
    case 'revoked':
      return { outcome: 'revoked', errorCode }
    case 'deadline':
      return { outcome: 'deadline', errorCode }
    case 'shutdown':
      return { outcome: 'shutdown', errorCode }
  }
}
