import type { Engine, EngineLease } from '../../engine/engine.ts'
import { ServiceError } from '../../errors.ts'
import { queueWaitMaxMs } from '../../limits.ts'
import type { Place } from './place.ts'

type LeasingRequest = {
  readonly place: Place
  readonly control: AbortController
  /** Time after the request's arrival at which the caller stops waiting. */
  readonly timeoutMs?: number | undefined
}

/**
 * Runs the work on an engine that stays leased until the request leaves its place, even if the model is replaced.
 * The work begins synchronously unless a model is being loaded. At the caller's deadline, aborts `control` with the
 * error. Rejects if the lease fails.
 */
export function withLeasedEngine<Services extends { readonly engine: Engine }, Result>(
  services: Services,
  { place, control, timeoutMs = Infinity }: LeasingRequest,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const lease = services.engine.lease?.(control.signal)
  if (lease === undefined) return work(services)
  const begin = ({ engine, release }: EngineLease): Promise<Result> => {
    place.onLeave(release)
    return work({ ...services, engine })
  }
  if (!(lease instanceof Promise)) return begin(lease)
  const leftMs = place.leftMsOf(timeoutMs)
  // The engine ends longer waits itself.
  if (leftMs >= queueWaitMaxMs) return lease.then(begin)
  const timer = setTimeout(() => control.abort(waitedTooLong()), leftMs)
  return lease.finally(() => clearTimeout(timer)).then(begin)
}

function waitedTooLong(): ServiceError {
  return new ServiceError(
    'model_loading',
    'Another model is being loaded. Allow more time, or try again in a moment.',
    { retryAfterMs: 2000, dropReason: 'deadline' },
  )
}
