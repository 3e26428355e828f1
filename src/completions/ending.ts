import { isInvalidRequest, ServiceError } from '../errors.ts'
import type { Settlement } from '../usage/ledger.ts'
import { Interruption } from './interruption.ts'

/** Outcome of a completion in the ledger, and the error that the caller received, if any. */
export type Ending = Pick<Settlement, 'outcome' | 'error'>

/** Returns the ending of a completion that failed with `error` during generation. */
export function endingOfFailure(error: unknown): Ending {
  if (error instanceof Interruption) return endingOfInterruption(error)
  if (!(error instanceof ServiceError))
    return { outcome: 'internal_error', error: { code: 'internal_error' } }
  const { code } = error
  // Nothing was computed for a request that is invalid or for which no engine has room.
  if (isInvalidRequest(code) || code === 'overloaded') return { outcome: 'refused', error }
  if (code === 'engine_failed') return { outcome: 'engine_crash', error }
  if (code === 'shutting_down') return { outcome: 'shutdown', error }
  return { outcome: 'internal_error', error }
}

/** Returns the ending of a completion that failed with `error` before it was reserved. */
export function endingOfRefusal(error: unknown): Ending {
  const isRefusal =
    error instanceof ServiceError &&
    error.code !== 'engine_failed' &&
    error.code !== 'internal_error'
  return isRefusal ? { outcome: 'refused', error } : endingOfFailure(error)
}

function endingOfInterruption(interruption: Interruption): Ending {
  const error = interruption.toServiceError()
  switch (interruption.reason) {
    case 'client_abort':
    case 'slow_reader':
      return { outcome: 'client_abort' }
    case 'revoked':
      return { outcome: 'revoked', error }
    case 'deadline':
      return { outcome: 'deadline', error }
    case 'shutdown':
      return { outcome: 'shutdown', error }
  }
}
