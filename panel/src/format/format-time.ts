import { dayMs, hourMs, minuteMs } from '../../../src/time/durations.ts'

/** English, like the panel's texts. Times are in the browser's time zone. */
const locale = 'en'
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** Nov 22, 2026, 2:22:30 AM */
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

/** Each unit, its length, and how many make up the next unit. */
const units = [
  { unit: 'second', ms: 1000, next: 60 },
  { unit: 'minute', ms: minuteMs, next: 60 },
  { unit: 'hour', ms: hourMs, next: 24 },
  { unit: 'day', ms: dayMs, next: Infinity },
] as const

/** "3 minutes ago", "in 30 days". Rounds past times down to whole units and future times to the nearest unit. */
export function formatRelative(timeMs: number, nowMs: number): string {
  const distanceMs = timeMs - nowMs
  for (const { unit, ms, next } of units) {
    const amount = distanceMs > 0 ? Math.round(distanceMs / ms) : Math.trunc(distanceMs / ms)
    if (Math.abs(amount) < next) return relative.format(amount, unit)
  }
  return formatDate(timeMs)
}
