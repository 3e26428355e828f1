import { Type, type Static } from 'typebox'
import { orNull } from '../nullable.ts'

/** Leases on one page: the default and the maximum. */
export const leasesListedDefault = 50
export const leasesListedMax = 200

function oneOf<const Word extends string>(...words: Word[]) {
  return Type.Unsafe<Word>({ type: 'string', enum: words })
}

const Replica = Type.Object({
  id: orNull(Type.String({ description: 'Null for a service that shares no database.' })),
  name: Type.String({ description: 'Host name and port.' }),
  version: orNull(Type.String()),
  started_ms: Type.Integer(),
  seen_ms: Type.Integer({ description: 'The latest heartbeat.' }),
  state: oneOf('live', 'expired', 'closing'),
  in_flight: Type.Integer(),
  is_this: Type.Boolean({ description: 'True for the replica that answers.' }),
})

const Lease = Type.Object({
  subject_id: Type.String({ description: 'The key or the account that has the limit.' }),
  account_name: orNull(Type.String()),
  limit: Type.String({ description: 'Name of the limit, such as `tokens_per_day`.' }),
  begin_ms: orNull(Type.Integer({ description: 'Begin of the day or month that it counts.' })),
  replica_id: Type.String(),
  granted: Type.Integer({ description: 'What the replica may spend without asking.' }),
  used: orNull(
    Type.Integer({
      description: 'What it has reported as used since the lease began; null for places.',
    }),
  ),
  expires_ms: Type.Integer({ description: 'The lease ends then, unless a heartbeat comes.' }),
})

const Upstream = Type.Object({
  url: Type.String({ description: 'Without a user and a password.' }),
  state: oneOf('new', 'up', 'ejected'),
  in_flight: Type.Integer({ description: 'Requests of the service that responds.' }),
  load: orNull(
    Type.Object(
      { running: Type.Integer(), waiting: Type.Integer() },
      { description: 'Requests of all clients, by the metrics of the engine.' },
    ),
  ),
  ejected_ms: orNull(Type.Integer()),
  probed_ms: orNull(Type.Integer()),
  next_probe_ms: orNull(Type.Integer()),
  fault: orNull(Type.Object({ at_ms: Type.Integer(), reason: Type.String() })),
})

/**
 * The services that share one database, their leases on limits, and the upstream engines of the service that responds.
 */
export const PanelReplicas = Type.Object({
  shared: Type.Boolean({ description: 'False for one service with a database of its own.' }),
  replicas: Type.Array(Replica, { description: 'The oldest first.' }),
  replicas_total: Type.Integer(),
  leases: Type.Object({
    data: Type.Array(Lease),
    has_more: Type.Boolean(),
    last_id: orNull(Type.String({ description: 'The value of `after` for the next page.' })),
  }),
  upstreams: orNull(
    Type.Array(Upstream, {
      description: 'As the replica that answers sees them. Null: it generates by itself.',
    }),
  ),
})
export type PanelReplicas = Static<typeof PanelReplicas>
