import type { Engine } from '../engine/engine.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Ledger } from '../usage/ledger.ts'
import type { RateLimiter } from '../usage/limits/rate-limiter.ts'
import type { Admission } from './admission/admission.ts'
import type { Idempotency } from './once/idempotency.ts'

/** The parts of the service that a completion uses. */
export type CompletionServices = {
  engine: Engine
  admission: Admission
  idempotency: Idempotency
  ledger: Ledger
  rateLimits: RateLimiter
  metrics: Metrics
  logger: Logger
  /** Value of `max_tokens` when a request leaves it out, and its largest value. */
  completionTokens: { readonly default: number; readonly max: number }
  /** True if the prompt also contains the schema of the reply format. */
  tellsSchema: boolean
  now: () => number
  /** Aborts when the grace period of a shutdown is over, or when other replicas have closed this one. */
  readonly stopping: AbortSignal
}
