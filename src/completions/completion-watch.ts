import type { Caller } from '../accounts/caller.ts'
import { firstTokenTimeoutMs, generationTimeoutMs } from '../limits.ts'
import { Interruption, type InterruptionReason } from './interruption.ts'

/** Aborts a completion when its key is revoked, it misses a deadline, or the service stops. */
export class CompletionWatch {
  readonly #control: AbortController
  readonly #revoked: AbortSignal
  readonly #stopping: AbortSignal
  /** Fires at the deadline of the first token, then at that of the whole completion. */
  #timer: NodeJS.Timeout
  #hasFirstToken = false
  readonly #onRevoked = () => this.#interrupt('revoked')
  readonly #onStopping = () => this.#interrupt('shutdown')

  constructor({ revoked }: Caller, stopping: AbortSignal, control: AbortController) {
    this.#control = control
    this.#revoked = revoked
    this.#stopping = stopping
    this.#timer = setTimeout(() => this.#onFirstTokenDeadline(), firstTokenTimeoutMs)
    if (revoked.aborted) this.#onRevoked()
    if (stopping.aborted) this.#onStopping()
    revoked.addEventListener('abort', this.#onRevoked)
    stopping.addEventListener('abort', this.#onStopping)
  }

  /** Lifts the deadline of the first token. The deadline of the whole completion stays. */
  noteFirstToken(): void {
    this.#hasFirstToken = true
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#revoked.removeEventListener('abort', this.#onRevoked)
    this.#stopping.removeEventListener('abort', this.#onStopping)
  }

  #onFirstTokenDeadline(): void {
    const onDeadline = () => this.#interrupt('deadline')
    if (this.#hasFirstToken)
      this.#timer = setTimeout(onDeadline, generationTimeoutMs - firstTokenTimeoutMs)
    else onDeadline()
  }

  #interrupt(reason: InterruptionReason): void {
    this.#control.abort(new Interruption(reason))
  }
}
