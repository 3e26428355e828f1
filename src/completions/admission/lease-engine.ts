import type { Engine, EngineLease } from '../../engine/engine.ts'
import type { Place } from './place.ts'

/**
 * Runs the work on an engine that stays leased until the request leaves its place, even if the model is replaced.
 * The work begins synchronously unless a model is being loaded. Rejects if the lease fails.
 */
export function withLeasedEngine<Services extends { readonly engine: Engine }, Result>(
  services: Services,
  place: Place,
  signal: AbortSignal,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const lease = services.engine.lease?.(signal)
  if (lease === undefined) return work(services)
  const begin = ({ engine, release }: EngineLease): Promise<Result> => {
    place.onLeave(release)
    return work({ ...services, engine })
  }
  return lease instanceof Promise ? lease.then(begin) : begin(lease)
}
