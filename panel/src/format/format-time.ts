/** English, like the panel's texts. Times are in the browser's time zone. */
const locale = 'en'
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Nov 22, 2026, 2:22 AM */
export function formatDateTime(timeMs: number): string {
  return dateTime.format(timeMs)
}

/** Nov 22, 2026 */
export function formatDate(timeMs: number): string {
  return date.format(timeMs)
}

/** 2026-11-22 01:22:30 UTC */
export function formatUtc(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** "3 minutes ago", "in 2 days" */
export function formatRelative(timeMs: number, nowMs: number): string {
  const distanceMs = timeMs - nowMs
  const size = Math.abs(distanceMs)
  if (size < minuteMs) return relative.format(Math.trunc(distanceMs / 1000), 'second')
  if (size < hourMs) return relative.format(Math.trunc(distanceMs / minuteMs), 'minute')
  if (size < dayMs) return relative.format(Math.trunc(distanceMs / hourMs), 'hour')
  return relative.format(Math.trunc(distanceMs / dayMs), 'day')
}
