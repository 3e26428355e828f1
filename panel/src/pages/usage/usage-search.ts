import type { UsageStep } from '../../../../src/protocol/panel-usage.ts'
import {
  faultOfDays,
  hoursFit,
  parseRange,
  stepFor,
  toTimeSpan,
  type DayRange,
  type TimeSpan,
} from '../../format/time-range.ts'

/** What the page shows, as its URL has it; what is absent is the default. */
export type UsageSearch = {
  range?: DayRange['range']
  from?: string
  to?: string
  step?: UsageStep
  /** An id. */
  key?: string
}

const defaultRange: DayRange = { range: '7d' }

/** What cannot be read is left out. */
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
  /** Whether the range is short enough for hours. */
  hoursFit: boolean
  /** Days that cannot be shown, in words. */
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
    fault: range.range === 'custom' ? faultOfDays(range.from, range.to) : undefined,
  }
}
