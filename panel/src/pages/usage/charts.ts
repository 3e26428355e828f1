import type { DetailedSums, PanelUsage } from '../../../../src/protocol/panel-usage.ts'
import { formatCompact, formatCount, formatDuration } from '../../format/format.ts'

export type Point = PanelUsage['points'][number]

/** A colour from styles.css and a pattern, so that colour alone never carries the meaning. */
type Look = {
  color: `--pipit-chart-${1 | 2 | 3}`
  pattern: 'solid' | 'hatched' | 'line' | 'dashed'
}

export type Series = Look & {
  label: string
  /** Reads the value of a point or of the totals; null when nothing was measured. */
  read: (sums: DetailedSums) => number | null
}

export type Chart = {
  title: string
  /** Stacked columns or lines. */
  form: 'stack' | 'lines'
  series: readonly Series[]
  format: (value: number) => string
  formatShort: (value: number) => string
}

const counted = { format: formatCount, formatShort: formatCompact }

export const charts: readonly Chart[] = [
  {
    title: 'Tokens',
    form: 'stack',
    series: [
      {
        label: 'Prompt, uncached',
        color: '--pipit-chart-1',
        pattern: 'solid',
        read: (sums) => sums.prompt_tokens - sums.cached_tokens,
      },
      {
        label: 'Prompt, cached',
        color: '--pipit-chart-1',
        pattern: 'hatched',
        read: (sums) => sums.cached_tokens,
      },
      {
        label: 'Completion',
        color: '--pipit-chart-2',
        pattern: 'solid',
        read: (sums) => sums.completion_tokens,
      },
    ],
    ...counted,
  },
  {
    title: 'Requests',
    form: 'stack',
    series: [
      {
        label: 'Without errors',
        color: '--pipit-chart-1',
        pattern: 'solid',
        read: (sums) => sums.requests - sums.errors,
      },
      {
        label: 'Rejected',
        color: '--pipit-chart-3',
        pattern: 'hatched',
        read: (sums) => Math.min(sums.rejected, sums.errors),
      },
      {
        label: 'Failed',
        color: '--pipit-chart-3',
        pattern: 'solid',
        read: (sums) => Math.max(0, sums.errors - sums.rejected),
      },
    ],
    ...counted,
  },
  {
    title: 'Latency',
    form: 'lines',
    series: [
      { label: 'p50', color: '--pipit-chart-1', pattern: 'line', read: (sums) => sums.p50_ms },
      { label: 'p95', color: '--pipit-chart-2', pattern: 'dashed', read: (sums) => sums.p95_ms },
    ],
    format: formatDuration,
    formatShort: formatDuration,
  },
  {
    title: 'Time to first token',
    form: 'lines',
    series: [
      {
        label: 'p50',
        color: '--pipit-chart-1',
        pattern: 'line',
        read: (sums) => sums.first_token_p50_ms,
      },
      {
        label: 'p95',
        color: '--pipit-chart-2',
        pattern: 'dashed',
        read: (sums) => sums.first_token_p95_ms,
      },
    ],
    format: formatDuration,
    formatShort: formatDuration,
  },
  {
    title: 'Queueing',
    form: 'lines',
    series: [
      {
        label: 'p50',
        color: '--pipit-chart-1',
        pattern: 'line',
        read: (sums) => sums.queue_p50_ms,
      },
      {
        label: 'p95',
        color: '--pipit-chart-2',
        pattern: 'dashed',
        read: (sums) => sums.queue_p95_ms,
      },
    ],
    format: formatDuration,
    formatShort: formatDuration,
  },
]

/** Returns the highest value of the chart. */
export function highestOf({ form, series }: Chart, points: readonly Point[]): number {
  const heights = points.map((point) => {
    const values = series.map(({ read }) => read(point) ?? 0)
    return form === 'stack' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
  })
  return heights.reduce((highest, height) => Math.max(highest, height), 0)
}
