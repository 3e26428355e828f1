import { strict as assert } from 'node:assert'
import { queueWaitMaxMs } from '../../limits.ts'

// Limits of the queue in front of the engine (docs/decisions/0017).

/**
 * Most accounts, API keys and end users whose counters are kept. Beyond that the least recently used idle ones are
 * dropped.
 */
export const linesMax = 10_000
/** Time without an empty queue after which refusals mean a standing overload. */
export const standingOverloadMs = 10_000
/** Longest wait in a standing overload: this many mean hold times of a slot, at least `shortWaitMinMs`. */
export const shortWaitServices = 2
export const shortWaitMinMs = 1_000
/** Longest delay before the retry of a refused request, to which `Retry-After` adds up to 50 %. */
export const returnMsMax = 40_000
/** Slots that must have been held and released before requests are refused for their predicted wait. */
export const measuredServicesMin = 8
/** Largest weight of a completion token, where a prompt token has weight 1. */
export const outputWeightMax = 32
/** Largest `X-Request-Timeout-Ms`. */
export const requestTimeoutMsMax = 86_400_000
/** Interval of the SSE comments that report a waiting stream's position. */
export const queueCommentMs = 2_000

assert(shortWaitMinMs < standingOverloadMs && standingOverloadMs < queueWaitMaxMs)
