import type { Caller } from '../accounts/caller.ts'
import { firstTokenTimeoutMs, generationTimeoutMs } from '../limits.ts'
import { Interruption, type InterruptionReason } from './interruption.ts'

/** Aborts a completion when its key is revoked, it misses a deadline, or the service stops. */
export class CompletionWatch {
  readonly #control: AbortController
  readonly #revoked: AbortSignal
  readonly #stopping: AbortSignal
  readonly #firstTokenTimer: NodeJS.Timeout
  readonly #wholeTimer: NodeJS.Timeout
  readonly #onRevoked = () => this.#interrupt('revoked')
  readonly #onStopping = () => this.#interrupt('shutdown')

  constructor({ revoked }: Caller, stopping: AbortSignal, control: AbortController) {
    this.#control = control
    this.#revoked = revoked
    this.#stopping = stopping
    const onDeadline = () => this.#interrupt('deadline')
    this.#firstTokenTimer = setTimeout(onDeadline, firstTokenTimeoutMs)
    this.#wholeTimer = setTimeout(onDeadline, generationTimeoutMs)
    if (revoked.aborted) this.#onRevoked()
    if (stopping.aborted) this.#onStopping()
    revoked.addEventListener('abort', this.#onRevoked)
    stopping.addEventListener('abort', this.#onStopping)
  }

  /** Lifts the deadline of the first token; the one of the whole completion stays. */
  noteFirstToken(): void {
    clearTimeout(this.#firstTokenTimer)
  }

  stop(): void {
    clearTimeout(this.#firstTokenTimer)
    clearTimeout(this.#wholeTimer)
    this.#revoked.removeEventListener('abort', this.#onRevoked)
    this.#stopping.removeEventListener('abort', this.#onStopping)
  }

  #interrupt(reason: InterruptionReason): void {
    this.#control.abort(new Interruption(reason))
  }
}
