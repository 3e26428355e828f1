import { strict as assert } from 'node:assert'
import { replicaExpiryMs } from '../usage-limits.ts'

/** Time between two heartbeats of a replica. */
export const heartbeatMs = 1000
/** Time after the last heartbeat that was confirmed for which a replica trusts its registration, by its own clock. */
export const replicaTrustMs = 5000
/** A replica whose own heartbeats were further apart does not judge others: the database may have been away for all. */
export const judgeGapMs = 2500
/** Time after which idle pools of limits are deleted, and time between two deletions. */
export const poolKeptMs = 3_600_000
/** Time for which the pools of a day and a month are kept: the month, and some days of the next. */
export const periodPoolKeptMs = 40 * 86_400_000
/** Replicas that the panel lists. */
export const replicasListedMax = 200

assert(heartbeatMs < judgeGapMs && judgeGapMs < replicaTrustMs && replicaTrustMs < replicaExpiryMs)
