import type { UsageStep } from '../../../../src/protocol/panel-usage.ts'
import { hourMs } from '../../../../src/time/durations.ts'

/** English, like the panel's texts. */
const locale = 'en'
const dayName = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const fullDay = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
const shortDay = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
})
const hours = new Intl.DateTimeFormat(locale, { hour: 'numeric' })
const minutes = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })

/** The axis label: Nov 22, or 2 PM. The first hour of a day shows the day. */
export function axisLabel(beginMs: number, step: UsageStep): string {
  const begin = new Date(beginMs)
  const beginsDay = begin.getHours() === 0 && begin.getMinutes() === 0
  return step === 'day' || beginsDay ? dayName.format(begin) : clock(beginMs)
}

/** The full label: Sun, Nov 22, 2026, or for an hour: Sun, Nov 22, 2 PM – 3 PM. */
export function pointLabel(beginMs: number, step: UsageStep): string {
  if (step === 'day') return fullDay.format(beginMs)
  return `${shortDay.format(beginMs)}, ${clock(beginMs)} – ${clock(beginMs + hourMs)}`
}

/** Formats an hour, with minutes in time zones with a half-hour offset. */
function clock(ms: number): string {
  return (new Date(ms).getMinutes() === 0 ? hours : minutes).format(ms)
}
