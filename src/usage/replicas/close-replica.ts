import type { Database } from '../../storage/database.ts'
import type { Statement } from '../../storage/statement.ts'
import { releaseOrphanKeys } from '../idempotency-statements.ts'
import { finalizeOrphans } from '../ledger-statements.ts'
import { addOrphansToErrors } from '../refusals/usage-errors-statements.ts'
import { addOrphansToSums } from '../usage-sums-statements.ts'
import {
  chargeOrphans,
  endLeases,
  fenceOff,
  findOpenEntries,
  findUnowned,
  lockEntries,
  removeReplica,
} from './replica-statements.ts'

type Closed = { replicaId: string; nowMs: number; isOwn?: boolean }

/**
 * Closes a replica whose heartbeats have stopped: settles its open entries at their last checkpoint and ends its
 * leases. First it is fenced off, so it can no longer reserve. Then its open entries are read, and one unit closes all.
 * @returns the number of entries; undefined if the replica is alive, or another replica has closed it
 * @throws ServiceError ledger_unavailable
 */
export async function closeReplica(
  database: Database,
  { replicaId, nowMs, isOwn = false }: Closed,
): Promise<number | undefined> {
  if ((await database.write([fenceOff(replicaId, isOwn)], 'essential')) === 0) return undefined
  const requestIds = await readOpenEntries(database, replicaId)
  const closed = await database.writeGuarded(
    {
      guard: removeReplica(replicaId),
      steps: [...closeEntries(requestIds, { nowMs, isShared: true }), endLeases(replicaId)],
      additions: [],
    },
    'essential',
  )
  return closed === 0 ? undefined : requestIds.length
}

/**
 * Settles open entries of services that are not registered, at their last checkpoint. Returns their number.
 * @throws ServiceError ledger_unavailable
 */
export async function closeUnowned(database: Database, nowMs: number): Promise<number> {
  const requestIds = await readIds(database, findUnowned())
  if (requestIds.length > 0)
    await database.write(closeEntries(requestIds, { nowMs, isShared: true }), 'essential')
  return requestIds.length
}

/**
 * Returns the statements that settle open entries at their last checkpoint and release their idempotency keys. If
 * replicas share the database, the entries are locked first, and the limits are charged for the tokens that their
 * requests may have used.
 */
export function closeEntries(
  ids: readonly string[],
  { nowMs, isShared }: { nowMs: number; isShared: boolean },
): Statement[] {
  const requestIds = JSON.stringify(ids)
  return [
    ...(isShared ? [lockEntries(requestIds)] : []),
    releaseOrphanKeys({ requestIds }),
    addOrphansToSums({ requestIds }),
    addOrphansToErrors({ requestIds }),
    ...(isShared ? [chargeOrphans(requestIds)] : []),
    finalizeOrphans({ requestIds, nowMs }),
  ]
}

/** Returns the ids of the entries that a replica has reserved and not settled. */
export function readOpenEntries(database: Database, replicaId: string): Promise<string[]> {
  return readIds(database, findOpenEntries(replicaId))
}

async function readIds(database: Database, statement: Statement): Promise<string[]> {
  return (await database.readRows(statement)).map(({ request_id: id }) => String(id))
}
