import type { Engine, EngineLease } from '../../engine/engine.ts'
import type { Place } from './place.ts'

/**
 * Runs the work with the engine that serves this request to its end, even if the model is replaced. The work begins
 * at once unless a model is being loaded, and a failure before that is a rejection too.
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
