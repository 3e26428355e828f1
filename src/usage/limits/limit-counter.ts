/** Returns the unused part of one `take`; to be called once. */
export type GiveBack = (unused: number, steadyMs: number) => void

/**
 * Use by one key or account that one limit restricts. Use is counted without a limit too, so that a limit that is
 * set later includes it. `atMs` is a time of the clock that `clockOf` names for the limit.
 */
export type LimitCounter = {
  /** Milliseconds until `amount` fits; 0 if it fits now, Infinity if waiting does not help. */
  waitMs(limit: number, amount: number, atMs: number): number
  take(limit: number | undefined, amount: number, atMs: number): GiveBack
  /** Counts what an earlier run of the service used. */
  restore(amount: number, atMs: number): void
  remaining(limit: number, atMs: number): number
  /** Milliseconds until the whole limit is available again. */
  resetMs(limit: number, atMs: number): number
  /** True when the counter may be forgotten: nothing runs, and nothing of its current window is used. */
  isIdle(atMs: number): boolean
}
