import type { UsageStep } from '../../../../src/protocol/panel-usage.ts'
import {
  dayRangeError,
  hoursFit,
  parseRange,
  stepFor,
  toTimeSpan,
  type DayRange,
  type TimeSpan,
} from '../../format/time-range.ts'

/** The page's settings in the URL. An absent setting has its default. */
type UsageSearch = {
  range?: DayRange['range']
  from?: string
  to?: string
  step?: UsageStep
  /** A key's id. */
  key?: string
}

const defaultRange: DayRange = { range: '7d' }

/** Parses the settings and drops invalid ones. */
export function parseUsageSearch(search: Readonly<Record<string, unknown>>): UsageSearch {
  const { step, key } = search
  return {
    ...parseRange(search, {}),
    ...(step === 'hour' || step === 'day' ? { step } : {}),
    ...(typeof key === 'string' && key !== '' ? { key } : {}),
  }
}

export type UsageView = {
  range: DayRange
  span: TimeSpan
  step: UsageStep
  /** True when the range is short enough to show hours. */
  hoursFit: boolean
  /** The message for an invalid date range. */
  fault: string | undefined
}

export function toUsageView(search: UsageSearch, nowMs: number): UsageView {
  const range = parseRange(search, defaultRange)
  const span = toTimeSpan(range, nowMs)
  const fit = hoursFit(span)
  const step = search.step ?? stepFor(span)
  return {
    range,
    span,
    step: fit ? step : 'day',
    hoursFit: fit,
    fault: range.range === 'custom' ? dayRangeError(range.from, range.to) : undefined,
  }
}
