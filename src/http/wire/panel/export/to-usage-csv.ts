import type { DetailedSums, PanelUsage } from '../../../../protocol/panel-usage.ts'
import { toCsv } from './csv.ts'

const sums = [
  'requests',
  'errors',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'p50_ms',
  'p95_ms',
] as const
const details = [
  'rejected',
  'first_token_p50_ms',
  'first_token_p95_ms',
  'queue_p50_ms',
  'queue_p95_ms',
] as const

const priced = ['cost', 'currency'] as const

type UsagePoint = DetailedSums & { begin_ms: number }

/** Returns one row for each point, with its start as an ISO 8601 time. Costs are included if there are prices. */
export function toUsageCsv(points: readonly UsagePoint[], currency: string | null): string {
  const rows = points.map((point) => ({
    ...point,
    begin: new Date(point.begin_ms).toISOString(),
    currency,
  }))
  return toCsv(['begin', ...sums, ...details, ...(currency === null ? [] : priced)], rows)
}

/** Returns one row for each key. */
export function toKeysCsv(keys: PanelUsage['keys'], currency: string | null): string {
  const rows = keys.map((key) => ({ ...key, currency }))
  return toCsv(['key_id', 'name', ...sums, ...(currency === null ? [] : priced)], rows)
}
