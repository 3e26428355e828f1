import type { Hold, Limited, RateLimiter } from '../../src/usage/limits/rate-limiter.ts'
import type { RateLimits } from '../../src/usage/limits/rate-limits.ts'

/** A request that its limits let pass. Times are those of the clock that never goes back. */
type Grant = {
  readonly requestId: string
  readonly keyId: string
  readonly accountId: string
  readonly enteredMs: number
  /** Time at which the limits let its tokens pass; undefined if they did not. */
  reservedMs?: number
  /** Requests of the key and of the account that had entered and not ended, this one included. */
  readonly running: { readonly key: number; readonly account: number }
  /** True if its tokens did not fit, so that the request was given back. */
  isGivenBack: boolean
}

/** Notes the requests that the limits of one process let pass, in order, and counts by itself those that run. */
export class LimitLog {
  readonly grants: Grant[] = []
  readonly #running = new Set<Grant>()

  /** Returns the same limits, and notes what they let pass. */
  watch(rateLimits: RateLimits): RateLimiter {
    return {
      enter: (limited, arrivedMs, requestId = '') => {
        const hold = rateLimits.enter(limited, arrivedMs)
        return this.#watchHold(hold, this.#note(limited, requestId))
      },
      state: (limited) => rateLimits.state(limited),
      look: () => rateLimits.look(),
    }
  }

  #note({ keyId, accountId }: Limited, requestId: string): Grant {
    const running = [...this.#running]
    const grant = {
      requestId,
      keyId,
      accountId,
      enteredMs: nowMs(),
      running: {
        key: 1 + running.filter((other) => other.keyId === keyId).length,
        account: 1 + running.filter((other) => other.accountId === accountId).length,
      },
      isGivenBack: false,
    }
    this.#running.add(grant)
    this.grants.push(grant)
    return grant
  }

  #watchHold(hold: Hold, grant: Grant): Hold {
    return {
      reserve: (tokens) => {
        try {
          void hold.reserve(tokens)
          grant.reservedMs = nowMs()
        } catch (error) {
          grant.isGivenBack = true
          this.#running.delete(grant)
          throw error
        }
      },
      end: (usedTokens) => {
        this.#running.delete(grant)
        hold.end(usedTokens)
      },
    }
  }
}

/** The limits count in whole milliseconds. */
function nowMs(): number {
  return Math.floor(performance.now())
}
