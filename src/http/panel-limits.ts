import type { LimitChanges, Limits } from '../accounts/allowance.ts'
import type { PanelLimits } from '../protocol/panel-session.ts'

export function limitsToWire(limits: Limits): PanelLimits {
  return {
    requests_per_minute: limits.requestsPerMinute ?? null,
    tokens_per_minute: limits.tokensPerMinute ?? null,
    parallel_requests: limits.parallelRequests ?? null,
    tokens_per_day: limits.tokensPerDay ?? null,
    tokens_per_month: limits.tokensPerMonth ?? null,
  }
}

export function limitsFromWire(limits: PanelLimits): LimitChanges {
  return {
    requestsPerMinute: limits.requests_per_minute,
    tokensPerMinute: limits.tokens_per_minute,
    parallelRequests: limits.parallel_requests,
    tokensPerDay: limits.tokens_per_day,
    tokensPerMonth: limits.tokens_per_month,
  }
}
