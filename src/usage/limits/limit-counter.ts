/** Gives back the unused part of one `take`. Call it once. */
export type GiveBack = (unused: number, steadyMs: number) => void

/**
 * Counts the use of one key or account for one limit. Use counts even while no limit is set, so a limit that is set
 * later includes it. `atMs` is a time on the clock that `clockOf` returns for the limit.
 */
export type LimitCounter = {
  /** Returns the milliseconds until `amount` fits; 0 if it fits now, Infinity if waiting does not help. */
  waitMs(limit: number, amount: number, atMs: number): number
  take(limit: number | undefined, amount: number, atMs: number): GiveBack
  /** Counts what an earlier run of the service used. */
  restore(amount: number, atMs: number): void
  remaining(limit: number, atMs: number): number
  /** Returns the milliseconds until the whole limit is available again. */
  resetMs(limit: number, atMs: number): number
  /** Returns true when the counter can be dropped: nothing runs, and nothing is used in its current window. */
  isIdle(atMs: number): boolean
}
