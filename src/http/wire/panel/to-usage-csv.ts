import type { UsageSums as StoredSums } from '../../../usage/usage-report.ts'
import { toUsageSums } from './to-usage-sums.ts'

const columns = [
  'requests',
  'errors',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'p50_ms',
  'p95_ms',
] as const

/** The sums that begin at one time. */
export type UsagePoint = { beginMs: number; sums: StoredSums }

/** Returns RFC 4180 text. It holds numbers and times only, so no cell is a formula to a spreadsheet. */
export function toUsageCsv(points: readonly UsagePoint[]): string {
  const rows = points.map(({ beginMs, sums }) => {
    const row = toUsageSums(sums)
    return [new Date(beginMs).toISOString(), ...columns.map((name) => row[name] ?? '')].join(',')
  })
  return [['begin', ...columns].join(','), ...rows, ''].join('\r\n')
}
