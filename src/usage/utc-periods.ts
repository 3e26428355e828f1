import { dayMs, hourMs } from '../time/durations.ts'

/** Converts milliseconds to the unit of times in the API: whole seconds. */
export function unixSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}

export function startOfHour(ms: number): number {
  return ms - (ms % hourMs)
}

/** Returns the number of the UTC day, counted from 1970. */
export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs)
}

export function startOfDay(ms: number): number {
  return dayOf(ms) * dayMs
}

export function startOfNextDay(ms: number): number {
  return (dayOf(ms) + 1) * dayMs
}

/** Returns the number of the UTC month, counted from the year 0. */
export function monthOf(ms: number): number {
  const date = new Date(ms)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export function startOfMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

export function startOfNextMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
