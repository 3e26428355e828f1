import { strict as assert } from 'node:assert'

/** Failed sign-in attempts for one account, or of one remembered browser, before the next one gets harder. */
export const attemptsOfAccountFree = 5
/** Failed sign-in attempts from one network before the next one needs a proof of work. */
export const attemptsOfNetworkFree = 50
/** Failed sign-in attempts from one network before the next one has to wait, whatever it proves. */
export const attemptsOfNetworkMax = 1000
/** Longest wait before the next sign-in attempt. */
export const attemptWaitMaxMs = 60_000
/** Longest wait before the next two-factor code, of which there are only a million. */
export const codeWaitMaxMs = 900_000
/** Puzzles of one proof of work. */
export const proofPuzzles = 16
/**
 * Zero bits of the solution of each puzzle, so 2^17 to 2^24 hashes for a proof: 0.1 s to some 10 s in a browser, 5 ms
 * to 0.6 s of one processor core in native code.
 */
export const proofBitsMin = 13
export const proofBitsMax = 20
/** Further failed attempts after which a proof takes twice the work. */
export const attemptsPerProofBit = 2
/** Bits that a proof may lack because attempts failed while it was computed. */
export const proofBitsSlack = 2
/** Time in which a challenge must be solved. */
export const proofLifetimeMs = 300_000
/** Solved challenges that are remembered, so that none is used twice. */
export const proofsUsedMax = 20_000
/** Days after which a browser without a sign-in is no longer remembered, and after which its cookie is renewed. */
export const deviceDays = 365
export const deviceRefreshDays = 30
/** Time after which failed attempts are forgotten. */
export const attemptsForgottenMs = 3_600_000
/** Accounts and networks whose attempts are counted; beyond it the oldest are forgotten. */
export const attemptsSubjectsMax = 20_000

assert(attemptsOfNetworkFree < attemptsOfNetworkMax)
assert(proofBitsMin + proofBitsSlack <= proofBitsMax && proofBitsMax <= 32)
