import type { Admission } from '../../../completions/admission/admission.ts'
import type { Engine } from '../../../engine/engine.ts'
import { ServiceError } from '../../../errors.ts'
import { activityContracts } from '../../../protocol/operations/panel/activity.ts'
import { leasesListedDefault, type PanelReplicas } from '../../../protocol/panel/replicas.ts'
import type { ReplicaOverview } from '../../../usage/replicas/replica-overview.ts'
import { version } from '../../../version.ts'
import { operation, type PanelOperation } from '../../operation.ts'
import { readPlace, toLeasePage, toReplica, toUpstream } from './to-panel-replicas.ts'
import { adminOnly } from '../../access/check-session.ts'

export type PanelReplicaServices = {
  engine: Engine
  admission: Admission
  now: () => number
  /** Host name and port, for display. */
  address: string
  /** Set if several services may share a PostgreSQL database. */
  shared: ReplicaOverview | undefined
}

/** The replicas, their leases and the upstream engines, for administrators. */
export function replicasOperation(services: PanelReplicaServices): PanelOperation {
  const startedMs = services.now()
  const { engine, shared } = services
  return operation(
    activityContracts.replicas,
    adminOnly,
  )(async ({ query: { limit = leasesListedDefault, after } }) => {
    const place = after === undefined ? undefined : readPlace(after)
    if (after !== undefined && place === undefined)
      throw new ServiceError('invalid_value', 'Set `after` to the `last_id` of a page.', {
        param: 'after',
      })
    const upstreams = engine.upstreams?.().map(toUpstream) ?? null
    if (shared === undefined) return { ...alone(services, startedMs), upstreams }
    const [{ replicas, total }, leases] = await Promise.all([
      shared.replicas(),
      shared.leases(limit + 1, place),
    ])
    return {
      shared: true,
      replicas: replicas.map((replica) => toReplica(replica, shared.ownId)),
      replicas_total: total,
      leases: toLeasePage(leases, limit),
      upstreams,
    }
  })
}

/** Describes a service that does not share its database. It counts limits in memory, so it has no leases. */
function alone(
  { address, admission, now }: PanelReplicaServices,
  startedMs: number,
): Omit<PanelReplicas, 'upstreams'> {
  const replica = {
    id: null,
    name: address,
    version,
    started_ms: startedMs,
    seen_ms: now(),
    state: 'live',
    in_flight: admission.running,
    is_this: true,
  } as const
  return {
    shared: false,
    replicas: [replica],
    replicas_total: 1,
    leases: { data: [], has_more: false, last_id: null },
  }
}
