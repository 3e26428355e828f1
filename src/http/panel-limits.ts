import type { Limits } from '../accounts/allowance.ts'
import type { Limits as WireLimits } from '../protocol/panel-limits.ts'

export function limitsToWire(limits: Limits): WireLimits {
  return {
    requests_per_minute: limits.requestsPerMinute ?? null,
    tokens_per_minute: limits.tokensPerMinute ?? null,
    parallel_requests: limits.parallelRequests ?? null,
    tokens_per_day: limits.tokensPerDay ?? null,
    tokens_per_month: limits.tokensPerMonth ?? null,
  }
}
