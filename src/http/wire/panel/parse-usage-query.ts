import { ServiceError } from '../../../errors.ts'
import { usagePointsMax } from '../../../protocol/panel/values.ts'
import type { QueryOf } from '../../../protocol/operations/contract.ts'
import type { activityContracts } from '../../../protocol/operations/panel/activity.ts'
import type { UsageStep } from '../../../protocol/panel-usage.ts'
import { LocalDays } from '../../../usage/local-days.ts'
import { dayMs, hourMs } from '../../../time/durations.ts'

export type UsageQuery = {
  fromMs: number
  toMs: number
  step: UsageStep
  /** Start of each point, and the end of the last one. */
  boundariesMs: readonly number[]
  keyId: string | undefined
}

/** @throws ServiceError invalid_value for an empty range, an unknown time zone, or too many points */
export function parseUsageQuery(query: QueryOf<typeof activityContracts.usage>): UsageQuery {
  const { from_ms: fromMs, to_ms: toMs, step = 'day', time_zone: timeZone = 'UTC' } = query
  if (fromMs >= toMs) throw invalid('to_ms', '`to_ms` must be later than `from_ms`.')
  const days = toLocalDays(timeZone)
  // A range of days is an hour longer if summer time ends in it.
  const pointsMax = step === 'hour' ? usagePointsMax : usagePointsMax + 1
  if ((toMs - fromMs) / (step === 'hour' ? hourMs : dayMs) > pointsMax) throw tooLong(step)
  const boundariesMs = step === 'hour' ? hoursOf(fromMs, toMs) : days.boundaries(fromMs, toMs)
  if (boundariesMs.length - 1 > usagePointsMax) throw tooLong(step)
  return { fromMs, toMs, step, boundariesMs, keyId: query.key_id || undefined }
}

/** Returns the first full hour at or after a time. An hour belongs to a range if it begins in the range. */
export function wholeHour(ms: number): number {
  return Math.ceil(ms / hourMs) * hourMs
}

function hoursOf(fromMs: number, toMs: number): number[] {
  const beginMs = wholeHour(fromMs)
  const hours = (wholeHour(toMs) - beginMs) / hourMs
  return Array.from({ length: hours + 1 }, (_, i) => beginMs + i * hourMs)
}

function toLocalDays(timeZone: string): LocalDays {
  try {
    return new LocalDays(timeZone)
  } catch {
    throw invalid(
      'time_zone',
      '`time_zone` must be the name of a time zone, for example `Europe/Berlin`.',
    )
  }
}

function tooLong(step: UsageStep): ServiceError {
  return invalid(
    'from_ms',
    `The range has more than ${usagePointsMax} ${step}s. ` +
      (step === 'hour' ? 'Use days, or a shorter range.' : 'Use a shorter range.'),
  )
}

function invalid(param: string, message: string): ServiceError {
  return new ServiceError('invalid_value', message, { param })
}
