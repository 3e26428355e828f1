import { ServiceError, shuttingDown } from '../errors.ts'

/** Reason for which a caller or the service stopped a running completion. */
export type InterruptionReason =
  | 'client_abort'
  | 'slow_reader'
  | 'revoked'
  | 'deadline'
  | 'shutdown'

/** Abort reason of a completion's signal. */
export class Interruption extends Error {
  override readonly name = 'Interruption'
  readonly reason: InterruptionReason

  constructor(reason: InterruptionReason) {
    super(reason)
    this.reason = reason
  }

  /** Returns the error to send to a caller that is still connected. */
  toServiceError(): ServiceError {
    switch (this.reason) {
      case 'revoked':
        return new ServiceError(
          'invalid_api_key',
          'Incorrect API key provided: the key or the session of this request was revoked or has expired. Use another key, or sign in again.',
        )
      case 'shutdown':
        return shuttingDown()
      case 'deadline':
      case 'slow_reader':
      case 'client_abort':
        return new ServiceError(
          'timeout',
          'The reply took too long. Ask for fewer tokens, or try again.',
        )
    }
  }
}
