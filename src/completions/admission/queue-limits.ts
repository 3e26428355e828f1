import { strict as assert } from 'node:assert'
import { queueWaitMaxMs } from '../../limits.ts'

// Maximums of the queue in front of the engine (docs/decisions/0017).

/** Accounts, API keys and end users whose counters are kept; beyond it the least recently used idle ones are forgotten. */
export const linesMax = 10_000
/** Time without an empty queue after which refusals count as a standing overload. */
export const standingOverloadMs = 10_000
/** The longest wait in a standing overload: so many mean services, and never less than the second. */
export const shortWaitServices = 2
export const shortWaitMinMs = 1_000
/** Longest time after which a refused request should come back; `Retry-After` adds up to half of it. */
export const returnMsMax = 40_000
/** Served requests before a wait is predicted well enough to refuse a request for it. */
export const measuredServicesMin = 8
/** Largest weight of a completion token, if a prompt token has the weight 1. */
export const outputWeightMax = 32
/** Largest `X-Request-Timeout-Ms`. */
export const requestTimeoutMsMax = 86_400_000
/** Time between two comments that tell a waiting stream its position. */
export const queueCommentMs = 2_000

assert(shortWaitMinMs < standingOverloadMs && standingOverloadMs < queueWaitMaxMs)
