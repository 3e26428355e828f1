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
   * Takes the most tokens that the request may use. A refusal gives everything back, the request too.
   * @throws ServiceError rate_limit_exceeded, insufficient_quota; with leases also ledger_unavailable
   */
  reserve(tokens: number): void | Promise<void>
  /** Gives back what was not used; a second call changes nothing. */
  end(usedTokens: number): void
}

/** Remaining limits of every key and account: counted by this service alone, or leased from those of all replicas. */
export type RateLimiter = {
  /** Limits of which this service has leased a part, where several services share them. */
  readonly held?: number
  /**
   * Takes one request from the limits of the key and of the account; all or nothing. A promise only where this replica
   * must lease more first.
   * @param arrivedMs the time that decides to which day and month the ledger counts the request
   * @param requestId the ledger's entry of the request, if it will have one
   * @throws ServiceError rate_limit_exceeded, insufficient_quota; with leases also ledger_unavailable
   */
  enter(limited: Limited, arrivedMs: number, requestId?: string): Hold | Promise<Hold>
  /** Returns what is left, as far as this replica knows. */
  state(limited: Limited): { key: LimitStates; account: LimitStates }
  /** Asks what is left where this replica does not know yet. A failure leaves it unknown. */
  look(all: readonly Limited[]): Promise<void>
}
