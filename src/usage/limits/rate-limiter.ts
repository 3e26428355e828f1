import type { Limits } from '../../key-limits.ts'
import type { LimitStates } from './limit-state.ts'

/** A caller with the limits of its key and of its account; both apply. */
export type Limited = {
  keyId: string
  accountId: string
  limits: Limits
  accountLimits: Limits
}

/** The parts that one request has taken from its limits, until `end`. */
export type Hold = {
  /**
   * Takes the maximum number of tokens that the request may use. A refusal also gives back the request that `enter`
   * took.
   * @throws ServiceError rate_limit_exceeded, insufficient_quota; with leases also ledger_unavailable
   */
  reserve(tokens: number): void | Promise<void>
  /** Gives back what was not used; a second call changes nothing. */
  end(usedTokens: number): void
}

/**
 * Remaining limits of every key and account. A service without replicas counts their use itself. Replicas share the
 * limits, and lease parts of them.
 */
export type RateLimiter = {
  /** Number of limits for which this service holds a lease; absent without replicas. */
  readonly held?: number
  /**
   * Takes one request from all limits of the key and of the account, or from none. Returns a promise only if this
   * replica must lease more first.
   * @param arrivedMs arrival time, which decides in which day and month the ledger counts the request
   * @param requestId id of the request's ledger entry, if it will have one
   * @throws ServiceError rate_limit_exceeded, insufficient_quota; with leases also ledger_unavailable
   */
  enter(limited: Limited, arrivedMs: number, requestId?: string): Hold | Promise<Hold>
  /** Returns what is left, as far as this replica knows. */
  state(limited: Limited): { key: LimitStates; account: LimitStates }
  /**
   * Asks the database how much is left of the limits for which this replica has no figure yet. Failures are ignored.
   */
  look(all: readonly Limited[]): Promise<void>
}
