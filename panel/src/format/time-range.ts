import { formatCount } from './format.ts'

/** What a page shows of the time: named, as the URL has it, in days of the user's zone. */
export const presets = ['today', '7d', '30d', 'month', 'custom'] as const
export type Preset = (typeof presets)[number]

/** Both days are shown whole; written as 2026-11-22. */
export type DayRange =
  | { range: Exclude<Preset, 'custom'> }
  | { range: 'custom'; from: string; to: string }

export type TimeSpan = { fromMs: number; toMs: number }

const hourMs = 3_600_000
/** The service answers with at most 1,500 points. */
export const daysShownMax = 1_500
export const hoursShownMax = 1_500

/** What cannot be read means the default: a URL that somebody mistyped still opens. */
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
 * From the midnight that begins the first day to the end of the last; never later than the hour that
 * runs now, so that a chart does not end in hours that have not been.
 */
export function toTimeSpan(range: DayRange, nowMs: number): TimeSpan {
  const today = midnight(new Date(nowMs))
  const soonMs = Math.floor(nowMs / hourMs) * hourMs + hourMs
  switch (range.range) {
    case 'today':
      return { fromMs: today.getTime(), toMs: soonMs }
    case '7d':
      return { fromMs: addDays(today, -6).getTime(), toMs: soonMs }
    case '30d':
      return { fromMs: addDays(today, -29).getTime(), toMs: soonMs }
    case 'month':
      return {
        fromMs: new Date(today.getFullYear(), today.getMonth(), 1).getTime(),
        toMs: soonMs,
      }
    case 'custom': {
      const fromMs = parseDay(range.from).getTime()
      const endMs = addDays(parseDay(range.to), 1).getTime()
      return { fromMs, toMs: fromMs < nowMs ? Math.min(endMs, soonMs) : endMs }
    }
  }
}

/** What is wrong with a pair of days, for the person who typed them; undefined: nothing. */
export function faultOfDays(from: string, to: string): string | undefined {
  if (!isDay(from) || !isDay(to)) return 'Give both days, for example 2026-11-22.'
  if (from > to) return 'The first day is after the last one.'
  if (daysBetween(from, to) > daysShownMax)
    return `At most ${formatCount(daysShownMax)} days are shown at once.`
  return undefined
}

/** By the hour while a day fills less than the screen, else by the day. */
export function stepFor({ fromMs, toMs }: TimeSpan): 'hour' | 'day' {
  return toMs - fromMs <= 50 * hourMs ? 'hour' : 'day'
}

export function hoursFit({ fromMs, toMs }: TimeSpan): boolean {
  return (toMs - fromMs) / hourMs <= hoursShownMax
}

/** The day of a moment, as the URL and the date fields have it. */
export function toDay(ms: number): string {
  const date = new Date(ms)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^20\d\d-\d\d-\d\d$/.test(value)) return false
  return toDay(parseDay(value).getTime()) === value
}

function daysBetween(from: string, to: string): number {
  const dayMs = 24 * hourMs
  return Math.round((parseDay(to).getTime() - parseDay(from).getTime()) / dayMs) + 1
}

function parseDay(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date)
}

function midnight(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate())
}

/** By the calendar: a day has 23 or 25 hours where clocks are changed. */
function addDays(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)
}
