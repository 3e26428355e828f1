import { usagePointsMax } from '../../../src/protocol/panel/values.ts'
import { dayMs, hourMs } from '../../../src/time/durations.ts'
import { formatCount } from './format.ts'

/** Names of time ranges, as in the URL. Days are in the user's time zone. */
export const presets = ['today', '7d', '30d', 'month', 'custom'] as const
type Preset = (typeof presets)[number]

/** A named range, or two whole days written as 2026-11-22. */
export type DayRange =
  | { range: Exclude<Preset, 'custom'> }
  | { range: 'custom'; from: string; to: string }

export type TimeSpan = { fromMs: number; toMs: number }

/** Parses a range from the URL. Returns `missing` when it is absent or invalid, so that a mistyped URL still opens. */
export function parseRange<Missing>(
  search: Readonly<Record<string, unknown>>,
  missing: Missing,
): DayRange | Missing {
  const { range, from, to } = search
  if (range === 'custom') return isDay(from) && isDay(to) ? { range, from, to } : missing
  const preset = presets.find((name) => name === range)
  return preset === undefined || preset === 'custom' ? missing : { range: preset }
}

/**
 * Returns the time from the start of the first day to the end of the last. A range that includes now
 * ends with the current hour, so that a chart does not show future hours. Hours are those of UTC, so the
 * current one can end after midnight; a named range ends at midnight then.
 */
export function toTimeSpan(range: DayRange, nowMs: number): TimeSpan {
  const fromMs = startOf(range, nowMs)
  const endMs = endOf(range)
  const nextHourMs = Math.floor(nowMs / hourMs) * hourMs + hourMs
  if (endMs === undefined) {
    const tomorrow = addDays(midnight(new Date(nowMs)), 1)
    return { fromMs, toMs: Math.min(nextHourMs, tomorrow.getTime()) }
  }
  return { fromMs, toMs: fromMs < nowMs ? Math.min(endMs, nextHourMs) : endMs }
}

/** Returns the start of the first day. */
export function startOf(range: DayRange, nowMs: number): number {
  const today = midnight(new Date(nowMs))
  switch (range.range) {
    case 'today':
      return today.getTime()
    case '7d':
      return addDays(today, -6).getTime()
    case '30d':
      return addDays(today, -29).getTime()
    case 'month':
      return new Date(today.getFullYear(), today.getMonth(), 1).getTime()
    case 'custom':
      return parseDay(range.from).getTime()
  }
}

/** Returns the end of the last typed day, or undefined for a named range, which includes now and all that follows. */
export function endOf(range: DayRange): number | undefined {
  return range.range === 'custom' ? addDays(parseDay(range.to), 1).getTime() : undefined
}

/** Returns what is wrong with two typed days, or undefined. */
export function dayRangeError(from: string, to: string): string | undefined {
  if (!isDay(from) || !isDay(to)) return 'Enter a start date and an end date.'
  if (from > to) return 'The start date is after the end date.'
  if (daysBetween(from, to) > usagePointsMax)
    return `Choose a range of at most ${formatCount(usagePointsMax)} days.`
  return undefined
}

/** Returns `hour` for up to two days, otherwise `day`. Allows 50 hours, because clocks may go back in between. */
export function stepFor({ fromMs, toMs }: TimeSpan): 'hour' | 'day' {
  return toMs - fromMs <= 50 * hourMs ? 'hour' : 'day'
}

export function hoursFit({ fromMs, toMs }: TimeSpan): boolean {
  return (toMs - fromMs) / hourMs <= usagePointsMax
}

/** Formats a time as a local day: 2026-11-22. */
export function toDay(ms: number): string {
  const date = new Date(ms)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^20\d\d-\d\d-\d\d$/.test(value)) return false
  return toDay(parseDay(value).getTime()) === value
}

function daysBetween(from: string, to: string): number {
  return Math.round((parseDay(to).getTime() - parseDay(from).getTime()) / dayMs) + 1
}

function parseDay(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date)
}

function midnight(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate())
}

/** Adds calendar days. A day has 23 or 25 hours when clocks change. */
function addDays(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)
}
