import { Tooltip } from '@mantine/core'
import { formatDate, formatDateTime, formatRelative, formatUtc } from '../format/format-time.ts'

type TimeProps = { ms: number; show?: 'date' | 'date-time' | 'relative' }

/** A moment in the user's zone; the exact UTC on hover and on focus. */
export function Time({ ms, show = 'date-time' }: TimeProps) {
  return (
    <Tooltip label={formatUtc(ms)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the exact time is there for the keyboard, too */}
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
