import type { UpstreamStatus } from '../../../engine/engine.ts'
import { keyLimits } from '../../../key-limits.ts'
import type { PanelReplicas } from '../../../protocol/panel/replicas.ts'
import type { LeaseRow, ReplicaRow } from '../../../usage/replicas/replica-overview.ts'
import type { LeasePlace } from '../../../usage/replicas/replica-statements.ts'

export function toReplica(row: ReplicaRow, ownId: string): PanelReplicas['replicas'][number] {
  return {
    id: row.id,
    name: row.name,
    version: row.version ?? null,
    started_ms: row.startedMs,
    seen_ms: row.seenMs,
    state: row.state,
    in_flight: row.inFlight,
    is_this: row.id === ownId,
  }
}

/** @param rows one more than `limit` if there is another page */
export function toLeasePage(rows: readonly LeaseRow[], limit: number): PanelReplicas['leases'] {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    data: page.map(toLease),
    has_more: rows.length > limit,
    last_id: last === undefined ? null : writePlace(last),
  }
}

export function toUpstream(
  status: UpstreamStatus,
): NonNullable<PanelReplicas['upstreams']>[number] {
  const { fault } = status
  return {
    url: status.url,
    state: status.state,
    in_flight: status.inFlight,
    load: status.load ?? null,
    ejected_ms: status.ejectedMs ?? null,
    probed_ms: status.probedMs ?? null,
    next_probe_ms: status.nextProbeMs ?? null,
    fault: fault === undefined ? null : { at_ms: fault.atMs, reason: fault.reason },
  }
}

function toLease(row: LeaseRow): PanelReplicas['leases']['data'][number] {
  const limit = keyLimits.find(({ name }) => name === row.limitName)
  return {
    subject_id: row.subjectId,
    account_name: row.accountName ?? null,
    // A replica of a newer version may lease a limit that this version does not know.
    limit: limit?.wireName ?? row.limitName,
    begin_ms: row.beginMs === 0 ? null : row.beginMs,
    replica_id: row.replicaId,
    granted: row.granted,
    used: limit?.window === 'parallel' ? null : row.used,
    expires_ms: row.expiresMs,
  }
}

/** Joins the parts with spaces: ids and limit names contain none. */
function writePlace({ subjectId, limitName, beginMs, replicaId }: LeasePlace): string {
  return [subjectId, limitName, beginMs, replicaId].join(' ')
}

/** Returns undefined for a text that `writePlace` did not write. */
export function readPlace(text: string): LeasePlace | undefined {
  const place = /^([\w-]+) (\w+) (\d{1,15}) ([\w-]+)$/.exec(text)
  const [, subjectId = '', limitName = '', begin = '', replicaId = ''] = place ?? []
  return place === null ? undefined : { subjectId, limitName, beginMs: Number(begin), replicaId }
}
