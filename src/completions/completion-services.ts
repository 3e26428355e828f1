import type { Engine } from '../engine/engine.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Ledger } from '../usage/ledger.ts'
import type { RateLimits } from '../usage/limits/rate-limits.ts'
import type { Admission } from './admission/admission.ts'
import type { Idempotency } from './idempotency.ts'

/** The parts of the service that a completion uses. */
export type CompletionServices = {
  engine: Engine
  admission: Admission
  idempotency: Idempotency
  ledger: Ledger
  rateLimits: RateLimits
  metrics: Metrics
  logger: Logger
  now: () => number
  /** Aborts when the grace period of a shutdown is over. */
  stopping: AbortSignal
}
