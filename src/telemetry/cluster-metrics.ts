import { Counter, Gauge, type Registry } from 'prom-client'

type UpstreamFacts = {
  readonly url: string
  readonly state: string
  readonly inFlight: number
  readonly load: { readonly running: number; readonly waiting: number } | undefined
  readonly ejections: number
}
type ReplicaFacts = { readonly isLive: boolean; readonly timesClosed: number }
type LeaseFacts = { readonly held?: number }
type ClusterFacts = {
  readonly engine: { upstreams?(): readonly UpstreamFacts[] }
  readonly replica: ReplicaFacts | undefined
  readonly rateLimits: LeaseFacts
}

/** Adds metrics of the upstream engines, of this replica and of its leases, read at each scrape. */
export function addClusterMetrics(
  registry: Registry,
  { engine, replica, rateLimits }: ClusterFacts,
): void {
  addUpstreamMetrics(registry, () => engine.upstreams?.() ?? [])
  addReplicaMetrics(registry, replica, rateLimits)
}

/** Adds metrics of each upstream engine. The label is the host, port and path from the settings. */
function addUpstreamMetrics(registry: Registry, upstreams: () => readonly UpstreamFacts[]): void {
  const facts: [name: string, help: string, read: (upstream: UpstreamFacts) => number][] = [
    [
      'pipit_upstream_up',
      '1 if the upstream engine gets requests, 0 if it has not answered yet or is ejected.',
      ({ state }) => (state === 'up' ? 1 : 0),
    ],
    [
      'pipit_upstream_requests_running',
      'Requests of this service that the upstream engine has not ended.',
      ({ inFlight }) => inFlight,
    ],
  ]
  const labelNames = ['upstream'] as const
  for (const [name, help, read] of facts)
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const upstream of upstreams()) this.set(labelsOf(upstream), read(upstream))
      },
    })
  new Gauge({
    name: 'pipit_upstream_requests_reported',
    help: 'Requests of all clients in the upstream engine, by its own metrics. Absent if it has reported none lately.',
    labelNames: [...labelNames, 'state'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const upstream of upstreams()) {
        if (upstream.load === undefined) continue
        const labels = labelsOf(upstream)
        this.set({ ...labels, state: 'running' }, upstream.load.running)
        this.set({ ...labels, state: 'waiting' }, upstream.load.waiting)
      }
    },
  })
  new Counter({
    name: 'pipit_upstream_ejections_total',
    help: 'Times that the upstream engine was ejected after failures.',
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const upstream of upstreams()) this.inc(labelsOf(upstream), upstream.ejections)
    },
  })
}

function labelsOf({ url }: UpstreamFacts): { upstream: string } {
  const { host, pathname } = new URL(url)
  return { upstream: pathname === '/' ? host : host + pathname }
}

/** Adds metrics of this replica. A service that shares its database with no other always counts as live. */
function addReplicaMetrics(
  registry: Registry,
  replica: ReplicaFacts | undefined,
  leases: LeaseFacts,
): void {
  new Gauge({
    name: 'pipit_replica_live',
    help: '1 if this service may spend shared limits, 0 while its heartbeats do not reach PostgreSQL.',
    registers: [registry],
    collect() {
      this.set((replica?.isLive ?? true) ? 1 : 0)
    },
  })
  new Counter({
    name: 'pipit_replica_closed_total',
    help: 'Times that other services have closed this one because its heartbeats were late.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(replica?.timesClosed ?? 0)
    },
  })
  new Gauge({
    name: 'pipit_leases',
    help: 'Limits of which this service has leased a part.',
    registers: [registry],
    collect() {
      this.set(leases.held ?? 0)
    },
  })
}
