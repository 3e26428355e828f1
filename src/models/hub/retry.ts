import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../../errors.ts'
import { retryAfterMaxMs, retryPauseMaxMs } from '../models-limits.ts'

/**
 * A failure that a retry may fix: the network, a busy server, a broken connection. The message has no final full stop.
 */
export class TransientError extends Error {
  override readonly name = 'TransientError'
  /** Delay that the server asks for. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number, cause?: unknown) {
    super(message, { cause })
    this.retryAfterMs = retryAfterMs
  }
}

type RetryOptions = {
  readonly attemptsMax: number
  /** First pause. It doubles with each attempt. */
  readonly pauseMs: number
  readonly signal: AbortSignal
  /** Returns a number that grows as the work progresses. Progress restarts the count of attempts. */
  readonly progress?: () => number
  readonly onPause?: (cause: string, pauseMs: number) => void
  /** Advice that follows the cause in the error once all attempts have failed. */
  readonly remedy: string
}

/** @throws StartError with the last cause and the remedy, once all attempts have failed */
export async function withRetries<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { attemptsMax, progress = () => 0, signal, onPause, remedy } = options
  let attempts = 0
  let lastProgress = progress()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TransientError) || signal.aborted) throw error
      attempts = progress() > lastProgress ? 1 : attempts + 1
      lastProgress = progress()
      const { message, retryAfterMs = 0 } = error
      const pauseMs = Math.max(
        retryAfterMs,
        Math.min(options.pauseMs * 2 ** (attempts - 1), retryPauseMaxMs),
      )
      if (attempts >= attemptsMax || retryAfterMs > retryAfterMaxMs)
        throw new StartError(`${message}. ${remedy}`, { cause: error })
      onPause?.(message, pauseMs)
      await delay(pauseMs, undefined, { signal })
    }
  }
}

/** Parses `Retry-After`, in seconds or as a date, and returns it in ms. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
