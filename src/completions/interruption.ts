import { ServiceError } from '../errors.ts'

/** Why a running completion is cut short from outside: the reason of its abort signal. */
export type InterruptionCause = 'client_abort' | 'slow_reader' | 'revoked' | 'deadline' | 'shutdown'

export class Interruption extends Error {
  override readonly name = 'Interruption'
  readonly reason: InterruptionCause

  constructor(reason: InterruptionCause) {
    super(reason)
    this.reason = reason
  }

  /** What the caller is told, if it is still there to hear it. */
  toServiceError(): ServiceError {
    switch (this.reason) {
      case 'revoked':
        return new ServiceError(
          'invalid_api_key',
          'The API key or the session of this request was revoked or has expired.',
        )
      case 'shutdown':
        return new ServiceError('shutting_down', 'The service is shutting down. Try again.', {
          retryAfterMs: 2000,
        })
      case 'deadline':
      case 'slow_reader':
      case 'client_abort':
        return new ServiceError(
          'timeout',
          'The reply took too long. Ask for fewer tokens or retry.',
        )
    }
  }
}
