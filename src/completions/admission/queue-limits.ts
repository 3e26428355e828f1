import { strict as assert } from 'node:assert'
import { queueWaitMaxMs } from '../../limits.ts'

// Limits of the queue in front of the engine (docs/decisions/0017).

/**
 * Maximum number of accounts, API keys and end users whose counters are kept. Beyond it, idle ones are dropped, the
 * least recently used first.
 */
export const linesMax = 10_000
/** If the queue has not been empty for this long, a refusal means a standing overload. */
export const standingOverloadMs = 10_000
/** Longest wait in a standing overload: this many times the mean hold time of a slot, at least `shortWaitMinMs`. */
export const shortWaitServices = 2
export const shortWaitMinMs = 1_000
/** Longest delay before a refused request should retry. `Retry-After` is this delay plus a jitter of up to 50 %. */
export const returnMsMax = 40_000
/** Requests are refused for their predicted wait only once this many slots have been held and released. */
export const measuredServicesMin = 8
/** The time between the turns of a line enters predictions once this many turns have been measured. */
export const turnsMin = 8
/** Number of latest turns of which it is the mean. */
export const turnsMax = 16
/** Waiting requests are refused if their predicted wait exceeds the time that is left to them by this factor. */
export const lateFactor = 1.25
/** Interval at which waiting requests are checked for that. */
export const lateCheckMs = 1_000
/** Largest weight of a completion token, where a prompt token has weight 1. */
export const outputWeightMax = 32
/** Largest `X-Request-Timeout-Ms`. */
export const requestTimeoutMsMax = 86_400_000
/** Interval of the SSE comments that report a waiting stream's position. */
export const queueCommentMs = 2_000

assert(shortWaitMinMs < standingOverloadMs && standingOverloadMs < queueWaitMaxMs)
