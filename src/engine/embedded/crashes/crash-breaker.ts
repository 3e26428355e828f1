import { ServiceError } from '../../../errors.ts'

const crashesMax = 5
const windowMs = 5 * 60_000
const pauseMs = 30_000

/**
 * Refuses new requests for 30 seconds after the fifth crash in five minutes, and after each further one. Otherwise a
 * series of crashing requests could make all others fail, since a running generation fails at its second crash.
 */
export class CrashBreaker {
  readonly #now: () => number
  /** Times of the latest crashes, at most `crashesMax`. */
  readonly #crashesMs: number[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  noteCrash(): void {
    this.#crashesMs.push(this.#now())
    if (this.#crashesMs.length > crashesMax) this.#crashesMs.shift()
  }

  /** @throws ServiceError model_loading */
  requireClosed(): void {
    const [first, last] = [this.#crashesMs[0], this.#crashesMs.at(-1)]
    if (first === undefined || last === undefined || this.#crashesMs.length < crashesMax) return
    const retryAfterMs = last + pauseMs - this.#now()
    if (last - first > windowMs || retryAfterMs <= 0) return
    throw new ServiceError(
      'model_loading',
      'The engine has crashed several times in a few minutes, so new requests are refused for a moment. Try again later.',
      { retryAfterMs },
    )
  }
}
