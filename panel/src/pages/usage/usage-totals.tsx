import { Text } from '@mantine/core'
import type { UsageSums } from '../../../../src/protocol/panel-usage.ts'
import { formatCount, formatDuration, formatPercent } from '../../format/format.ts'
import classes from './usage-totals.module.css'

/** Six totals of the range. */
export function UsageTotals({ totals }: { totals: UsageSums }) {
  const { requests, errors, prompt_tokens: prompt, cached_tokens: cached } = totals
  return (
    <dl className={classes['totals']}>
      <Total name="Requests" value={formatCount(requests)} />
      <Total
        name="Errors"
        value={formatCount(errors)}
        note={shareOf(errors, requests, 'of requests')}
      />
      <Total
        name="Prompt tokens"
        value={formatCount(prompt)}
        note={shareOf(cached, prompt, 'cached')}
      />
      <Total name="Completion tokens" value={formatCount(totals.completion_tokens)} />
      <Total name="Latency p50" value={durationOrNone(totals.p50_ms)} />
      <Total name="Latency p95" value={durationOrNone(totals.p95_ms)} />
    </dl>
  )
}

function Total({ name, value, note }: { name: string; value: string; note?: string | undefined }) {
  return (
    <div className={classes['total']}>
      <dt>{name}</dt>
      <dd className="numeric">
        <span className={classes['value']}>{value}</span>
        {note !== undefined && (
          <Text component="span" size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </dd>
    </div>
  )
}

function shareOf(part: number, whole: number, label: string): string | undefined {
  return part === 0 || whole === 0 ? undefined : `${formatPercent(part / whole)} ${label}`
}

export function durationOrNone(ms: number | null): string {
  return ms === null ? '–' : formatDuration(ms)
}
