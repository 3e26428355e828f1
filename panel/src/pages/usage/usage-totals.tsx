import { Text } from '@mantine/core'
import type { DetailedSums } from '../../../../src/protocol/panel-usage.ts'
import { formatCount, formatDuration, formatMoney, formatPercent } from '../../format/format.ts'
import classes from './usage-totals.module.css'

/** The totals of the range. */
export function UsageTotals({
  totals,
  currency,
}: {
  totals: DetailedSums
  /** Null if no prices are set. */
  currency: string | null
}) {
  const { requests, errors, rejected, prompt_tokens: prompt, cached_tokens: cached } = totals
  return (
    <dl className={classes['totals']}>
      <Total name="Requests" value={formatCount(requests)} />
      <Total
        name="Errors"
        value={formatCount(errors)}
        note={shareOf(errors, requests, 'of requests')}
      />
      <Total
        name="Rejected"
        value={formatCount(rejected)}
        note={shareOf(rejected, errors, 'of errors')}
      />
      <Total
        name="Prompt tokens"
        value={formatCount(prompt)}
        note={shareOf(cached, prompt, 'cached')}
      />
      <Total name="Completion tokens" value={formatCount(totals.completion_tokens)} />
      {currency !== null && totals.cost !== null && (
        <Total name="Cost" value={formatMoney(totals.cost, currency)} />
      )}
      <Total
        name="Latency p50"
        value={durationOrNone(totals.p50_ms)}
        note={p95Note(totals.p95_ms)}
      />
      <Total
        name="First token p50"
        value={durationOrNone(totals.first_token_p50_ms)}
        note={p95Note(totals.first_token_p95_ms)}
      />
      <Total
        name="Queueing p50"
        value={durationOrNone(totals.queue_p50_ms)}
        note={p95Note(totals.queue_p95_ms)}
      />
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

function p95Note(ms: number | null): string | undefined {
  return ms === null ? undefined : `p95 ${formatDuration(ms)}`
}

export function durationOrNone(ms: number | null): string {
  return ms === null ? '–' : formatDuration(ms)
}
