import { strict as assert } from 'node:assert'
import { connectTimeoutMs, reconnectMs } from '../../storage/storage-limits.ts'
import { replicaExpiryMs } from '../usage-limits.ts'

/** Time between two heartbeats of a replica. */
export const heartbeatMs = 1000
/** Time for which a replica trusts its registration after its last confirmed heartbeat, by its own clock. */
export const replicaTrustMs = 5000
/**
 * Maximum gap between a replica's own heartbeats for it to close other replicas. After a longer gap, the database may
 * have been unreachable for all replicas.
 */
export const judgeGapMs = 2500
/**
 * Time after such a gap, and after a registration, in which a replica closes no others. They may need it to reconnect: for
 * an attempt that does not end before its timeout, the pause before the next one, and a heartbeat.
 */
export const judgePauseMs = 7000
/** Time after which idle pools of limits are deleted, and time between two deletions. */
export const poolKeptMs = 3_600_000
/** Time for which pools of days and months are kept: a month and some days. */
export const periodPoolKeptMs = 40 * 86_400_000
/** Maximum number of replicas that the panel lists. */
export const replicasListedMax = 200

assert(judgePauseMs > connectTimeoutMs + reconnectMs + heartbeatMs)
assert(heartbeatMs < judgeGapMs && judgeGapMs < replicaTrustMs && replicaTrustMs < replicaExpiryMs)
