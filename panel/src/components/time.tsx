import { Tooltip } from '@mantine/core'
import { formatDate, formatDateTime, formatRelative, formatUtc } from '../format/format-time.ts'

type TimeProps = { ms: number; show?: 'date' | 'date-time' | 'relative' }

/** A time in the user's zone, with the exact UTC time in a tooltip. */
export function Time({ ms, show = 'date-time' }: TimeProps) {
  return (
    <Tooltip label={formatUtc(ms)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users can read the exact time */}
      <time dateTime={new Date(ms).toISOString()} tabIndex={0}>
        {text(ms, show)}
      </time>
    </Tooltip>
  )
}

function text(ms: number, show: 'date' | 'date-time' | 'relative'): string {
  switch (show) {
    case 'date':
      return formatDate(ms)
    case 'date-time':
      return formatDateTime(ms)
    case 'relative':
      return formatRelative(ms, Date.now())
  }
}
