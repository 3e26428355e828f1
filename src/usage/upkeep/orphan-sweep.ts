import { orphanSweepMs } from '../../limits.ts'
import type { Logger } from '../../telemetry/logger.ts'

type Entries = {
  /** Returns how many it closed. */
  closeOrphans(): Promise<number>
}

/** Closes, from time to time, the entries and idempotency keys that no request holds. Returns a function that ends it. */
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
