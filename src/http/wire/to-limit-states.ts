import type { LimitStates } from '../../protocol/key.ts'
import type { LimitState, LimitStates as LeftOfLimits } from '../../usage/rate-limits.ts'

export function toLimitStates(states: LeftOfLimits): LimitStates {
  return {
    requests_per_minute: toLimitState(states.requestsPerMinute),
    tokens_per_minute: toLimitState(states.tokensPerMinute),
    parallel_requests: toLimitState(states.parallelRequests),
    tokens_per_day: toLimitState(states.tokensPerDay),
    tokens_per_month: toLimitState(states.tokensPerMonth),
  }
}

function toLimitState(state: LimitState | undefined): LimitStates['tokens_per_day'] {
  if (state === undefined) return null
  return { limit: state.limit, remaining: state.remaining, reset_ms: state.resetMs }
}
