import type { UsageSums } from '../../../protocol/panel-usage.ts'
import { quantileMs } from '../../../usage/latency-histogram.ts'
import type { UsageSums as StoredSums } from '../../../usage/usage-report.ts'

export function toUsageSums(sums: StoredSums): UsageSums {
  return {
    requests: sums.requests,
    errors: sums.errors,
    prompt_tokens: sums.promptTokens,
    cached_tokens: sums.cachedTokens,
    completion_tokens: sums.completionTokens,
    p50_ms: quantileMs(sums.latencies, 0.5) ?? null,
    p95_ms: quantileMs(sums.latencies, 0.95) ?? null,
  }
}
