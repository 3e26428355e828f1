import type { DetailedSums, UsageSums } from '../../../protocol/panel-usage.ts'
import { quantileMs } from '../../../usage/latency-histogram.ts'
import { picosText } from '../../../spending/money.ts'
import type { UsageDetails } from '../../../usage/times/usage-details.ts'
import type { UsageSums as StoredSums } from '../../../usage/usage-report.ts'

/** @param cost in units of 10^-12 of the currency */
export function toUsageSums(sums: StoredSums, cost: bigint | undefined): UsageSums {
  return {
    requests: sums.requests,
    errors: sums.errors,
    prompt_tokens: sums.promptTokens,
    cached_tokens: sums.cachedTokens,
    completion_tokens: sums.completionTokens,
    p50_ms: quantileMs(sums.latencies, 0.5) ?? null,
    p95_ms: quantileMs(sums.latencies, 0.95) ?? null,
    cost: cost === undefined ? null : picosText(cost),
  }
}

export function toDetailedSums(
  sums: StoredSums,
  { refused, queue, firstToken }: UsageDetails,
  cost: bigint | undefined,
): DetailedSums {
  return {
    ...toUsageSums(sums, cost),
    rejected: refused,
    first_token_p50_ms: quantileMs(firstToken, 0.5) ?? null,
    first_token_p95_ms: quantileMs(firstToken, 0.95) ?? null,
    queue_p50_ms: quantileMs(queue, 0.5) ?? null,
    queue_p95_ms: quantileMs(queue, 0.95) ?? null,
  }
}
