import { orphanSweepMs } from '../../limits.ts'
import type { Logger } from '../../telemetry/logger.ts'

type Entries = {
  /** Returns the number of closed entries. */
  closeOrphans(): Promise<number>
}

/**
 * Periodically closes entries that no request holds, and frees their idempotency keys. Returns a function that stops
 * this.
 */
export function sweepOrphans(ledger: Entries, logger: Logger, everyMs = orphanSweepMs): () => void {
  const timer = setInterval(() => {
    ledger.closeOrphans().then(
      (count) => {
        if (count > 0) logger.warn('entries that no request holds were closed', { count })
      },
      (error: unknown) => logger.warn('open entries could not be closed', { error }),
    )
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
