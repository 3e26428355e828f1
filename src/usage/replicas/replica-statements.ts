import { schemaVersion } from '../../storage/postgres/schema.ts'
import type { Statement } from '../../storage/statement.ts'
import { replicaExpiryMs } from '../usage-limits.ts'
import { periodPoolKeptMs, poolKeptMs } from './replica-limits.ts'

// These tables and functions exist in PostgreSQL only; see storage/postgres/replica-tables.ts.

export function registerReplica(id: string, address: string, version: string): Statement {
  return {
    sql: 'insert into replicas (id, address, version, started_ms, heartbeat_ms, knows) values (?, ?, ?, pipit_now(), pipit_now(), ?)',
    parameters: [id, address, version, schemaVersion],
  }
}

/** Changes no row if the replica is closed. */
export function beat(id: string): Statement {
  return {
    sql: 'update replicas set heartbeat_ms = pipit_now() where id = ? and closed = 0',
    parameters: [id],
  }
}

/** Finds other replicas whose heartbeats have stopped, or that another replica began to close. */
export function findDead(id: string): Statement {
  return {
    sql: 'select id from replicas where id <> ? and (closed = 1 or heartbeat_ms + ?::bigint < pipit_now())',
    parameters: [id, replicaExpiryMs],
  }
}

/**
 * Marks a replica as closed. Waits for a reservation that the replica is writing; its later reservations fail. Changes
 * no row if the replica is alive.
 */
export function fenceOff(id: string, isOwn: boolean): Statement {
  return {
    sql: 'update replicas set closed = 1 where id = ? and (closed = 1 or heartbeat_ms + ?::bigint < pipit_now())',
    parameters: [id, isOwn ? -1_000_000_000_000_000 : replicaExpiryMs],
  }
}

export function removeReplica(id: string): Statement {
  return { sql: 'delete from replicas where id = ? and closed = 1', parameters: [id] }
}

export function findOpenEntries(replicaId: string): Statement {
  return {
    sql: "select request_id from usage where state = 'reserved' and boot_id = ?",
    parameters: [replicaId],
  }
}

/**
 * Finds open entries of services that are not registered. A version without replicas wrote them, or a failed close left
 * them open.
 */
export function findUnowned(): Statement {
  return {
    sql: "select request_id from usage where state = 'reserved' and boot_id not in (select id from replicas)",
    parameters: [],
  }
}

/**
 * Locks open entries. Two replicas may close the same entries, or their owner may settle them; the first to lock them
 * wins.
 */
export function lockEntries(requestIds: string): Statement {
  return {
    sql: "update usage set updated_ms = updated_ms where state = 'reserved' and request_id in (select value from json_each(?))",
    parameters: [requestIds],
  }
}

export function chargeOrphans(requestIds: string): Statement {
  return { sql: 'select pipit_charge_orphans(?::json)', parameters: [requestIds] }
}

export function endLeases(replicaId: string): Statement {
  return { sql: 'select pipit_end_leases(?)', parameters: [replicaId] }
}

/** @param items JSON list of the items that `pipit_renew_leases` reads */
export function renewLeases(replicaId: string, items: string): Statement {
  return {
    sql: 'select item, amount, remaining, elsewhere from pipit_renew_leases(?, ?, ?::json)',
    parameters: [replicaId, replicaExpiryMs, items],
  }
}

/** Deletes pools that were not used for an hour. Pools of days and months stay until their period is long over. */
export function deleteIdlePools(): Statement {
  return {
    sql:
      'delete from limit_pools where leased = 0 and at_ms < pipit_now() - ?::bigint' +
      ' and (begin_ms = 0 or begin_ms < pipit_now() - ?::bigint)',
    parameters: [poolKeptMs, periodPoolKeptMs],
  }
}

/**
 * Lists the replicas. The count reads the index `usage_reserved`, so its cost only grows with the requests in flight.
 */
export function listReplicas(limit: number): Statement {
  return {
    sql:
      'select r.id, r.address, r.version, r.started_ms, r.heartbeat_ms,' +
      " case when r.closed = 1 then 'closing' when r.heartbeat_ms + ?::bigint < pipit_now() then 'expired' else 'live' end as state," +
      " (select count(*) from usage u where u.state = 'reserved' and u.boot_id = r.id) as in_flight" +
      ' from replicas r order by r.started_ms, r.id limit ?',
    parameters: [replicaExpiryMs, limit],
  }
}

export function countReplicas(): Statement {
  return { sql: 'select count(*) as count from replicas', parameters: [] }
}

/** Position of a lease in the list, which is sorted by these fields. */
export type LeasePlace = {
  /** Id of the key or the account that has the limit. */
  readonly subjectId: string
  /** Name of the limit, as in key-limits.ts. */
  readonly limitName: string
  /** Start of the day or month; 0 for other limits. */
  readonly beginMs: number
  readonly replicaId: string
}

/** @param after the last lease of the page before */
export function listLeases(limit: number, after: LeasePlace | undefined): Statement {
  const place = after && [after.subjectId, after.limitName, after.beginMs, after.replicaId]
  return {
    sql:
      'select l.replica_id, l.subject_id, l.name, l.begin_ms, l.amount, l.used, a.name as account_name,' +
      ' r.heartbeat_ms + ?::bigint as expires_ms' +
      ' from limit_leases l join replicas r on r.id = l.replica_id' +
      ' left join api_keys k on k.id = l.subject_id' +
      ' left join accounts a on a.id = coalesce(k.account_id, l.subject_id)' +
      (place === undefined
        ? ''
        : ' where (l.subject_id, l.name, l.begin_ms, l.replica_id) > (?, ?, ?::bigint, ?)') +
      ' order by l.subject_id, l.name, l.begin_ms, l.replica_id limit ?',
    parameters: [replicaExpiryMs, ...(place ?? []), limit],
  }
}
