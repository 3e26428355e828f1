import type { LimitChanges, Limits } from '../../accounts/allowance.ts'
import type {
  LimitChanges as WireLimitChanges,
  Limits as WireLimits,
} from '../../protocol/panel-limits.ts'

export function limitsToWire(limits: Limits): WireLimits {
  return {
    requests_per_minute: limits.requestsPerMinute ?? null,
    tokens_per_minute: limits.tokensPerMinute ?? null,
    parallel_requests: limits.parallelRequests ?? null,
    tokens_per_day: limits.tokensPerDay ?? null,
    tokens_per_month: limits.tokensPerMonth ?? null,
  }
}

/** What is absent stays as it is. */
export function limitsFromWire(wire: WireLimitChanges): LimitChanges {
  const changes = {
    requestsPerMinute: wire.requests_per_minute,
    tokensPerMinute: wire.tokens_per_minute,
    parallelRequests: wire.parallel_requests,
    tokensPerDay: wire.tokens_per_day,
    tokensPerMonth: wire.tokens_per_month,
  }
  return Object.fromEntries(Object.entries(changes).filter(([, limit]) => limit !== undefined))
}
