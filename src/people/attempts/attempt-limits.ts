import { strict as assert } from 'node:assert'

/**
 * Failed sign-in attempts for one account, or from one remembered browser, after which further ones are slowed down.
 */
export const attemptsOfAccountFree = 5
/** Failed sign-in attempts from one network after which further ones need a proof of work. */
export const attemptsOfNetworkFree = 50
/** Longest wait before the next sign-in attempt. */
export const attemptWaitMaxMs = 60_000
/** Longest wait before the next attempt at a two-factor code, longer because there are only a million codes. */
export const codeWaitMaxMs = 900_000
/** Number of puzzles in one proof of work. */
export const proofPuzzles = 16
/**
 * Minimum and maximum number of zero bits with which the hash of each puzzle's solution must begin. A proof takes 2^17
 * to 2^24 hashes: 0.1 s to about 10 s in a browser, 5 ms to 0.6 s of one processor core in native code.
 */
export const proofBitsMin = 13
export const proofBitsMax = 20
/** Number of further failed attempts after which the work of a proof doubles. */
export const attemptsPerProofBit = 2
/** Bits by which a proof may fall short, because attempts may have failed while it was computed. */
export const proofBitsSlack = 2
/** Time in which a challenge must be solved. */
export const proofLifetimeMs = 300_000
/** Solved challenges that are remembered, so that none can be used twice. */
export const proofsUsedMax = 20_000
/** Days without a sign-in after which a browser is forgotten, and age in days at which its cookie is renewed. */
export const deviceDays = 365
export const deviceRefreshDays = 30
/** Time after which failed attempts are forgotten. */
export const attemptsForgottenMs = 3_600_000
/** Accounts, networks and browsers whose attempts are counted. Beyond this, the least recent are forgotten. */
export const attemptsSubjectsMax = 20_000

assert(proofBitsMin + proofBitsSlack <= proofBitsMax && proofBitsMax <= 32)
