import type { Database } from '../../storage/database.ts'
import type { Row } from '../../storage/unit.ts'
import { replicasListedMax } from './replica-limits.ts'
import { countReplicas, type LeasePlace, listLeases, listReplicas } from './replica-statements.ts'

/** A replica as the database knows it. Times are those of the database's clock. */
export type ReplicaRow = {
  readonly id: string
  /** Host name and port. */
  readonly name: string
  /** Absent if the replica's version is too old to write it. */
  readonly version: string | undefined
  readonly startedMs: number
  readonly seenMs: number
  /**
   * `expired`: its heartbeats have stopped, and another replica will close it. `closing`: another replica is closing
   * it.
   */
  readonly state: 'live' | 'expired' | 'closing'
  /** Requests that it has reserved and not settled. */
  readonly inFlight: number
}

/** The part of one limit that one replica may spend. */
export type LeaseRow = LeasePlace & {
  readonly accountName: string | undefined
  readonly granted: number
  readonly used: number
  /** Time at which other replicas may end the lease, unless its replica sends another heartbeat. */
  readonly expiresMs: number
}

/** Reads the replicas of one PostgreSQL database and their leases, for administrators. */
export class ReplicaOverview {
  readonly #database: Database
  readonly #own: { readonly id: string }

  /** @param own the registration of this service */
  constructor(database: Database, own: { readonly id: string }) {
    this.#database = database
    this.#own = own
  }

  /** Id of this service's replica. */
  get ownId(): string {
    return this.#own.id
  }

  /**
   * Returns at most `replicasListedMax` replicas, the oldest first, and the number of all.
   * @throws ServiceError ledger_unavailable
   */
  async replicas(): Promise<{ replicas: ReplicaRow[]; total: number }> {
    const [rows, [counted]] = await Promise.all([
      this.#database.readRows(listReplicas(replicasListedMax)),
      this.#database.readRows(countReplicas()),
    ])
    return { replicas: rows.map(toReplica), total: Number(counted?.['count']) }
  }

  /**
   * Returns one page of the leases of all replicas.
   * @param after the last lease of the page before
   * @throws ServiceError ledger_unavailable
   */
  async leases(limit: number, after?: LeasePlace): Promise<LeaseRow[]> {
    return (await this.#database.readRows(listLeases(limit, after))).map(toLease)
  }
}

function toReplica(row: Row): ReplicaRow {
  return {
    id: String(row['id']),
    name: String(row['address']),
    version: textOf(row['version']),
    startedMs: Number(row['started_ms']),
    seenMs: Number(row['heartbeat_ms']),
    state: stateOf(row['state']),
    inFlight: Number(row['in_flight']),
  }
}

function stateOf(value: Row[string] | undefined): ReplicaRow['state'] {
  return value === 'closing' || value === 'expired' ? value : 'live'
}

function toLease(row: Row): LeaseRow {
  return {
    replicaId: String(row['replica_id']),
    subjectId: String(row['subject_id']),
    accountName: textOf(row['account_name']),
    limitName: String(row['name']),
    beginMs: Number(row['begin_ms']),
    granted: Number(row['amount']),
    used: Number(row['used']),
    expiresMs: Number(row['expires_ms']),
  }
}

function textOf(value: Row[string] | undefined): string | undefined {
  return value == null ? undefined : String(value)
}
