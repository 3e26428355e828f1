import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  faultOfDays,
  hoursFit,
  isDay,
  parseRange,
  stepFor,
  toDay,
  toTimeSpan,
} from './time-range.ts'

const zoneBefore = process.env['TZ']
beforeEach(() => {
  process.env['TZ'] = 'Europe/Berlin'
})
afterEach(() => {
  if (zoneBefore === undefined) delete process.env['TZ']
  else process.env['TZ'] = zoneBefore
})

const utc = (text: string) => Date.parse(`${text}Z`)

describe('a range of the URL', () => {
  test('is read as it was written', () => {
    expect(parseRange({ range: '30d' }, undefined)).toEqual({ range: '30d' })
    expect(
      parseRange({ range: 'custom', from: '2026-10-01', to: '2026-10-31' }, undefined),
    ).toEqual({
      range: 'custom',
      from: '2026-10-01',
      to: '2026-10-31',
    })
  })

  test('that cannot be read is the default', () => {
    expect(parseRange({}, { range: '7d' })).toEqual({ range: '7d' })
    expect(parseRange({ range: 'fortnight' }, undefined)).toBeUndefined()
    expect(
      parseRange({ range: 'custom', from: '2026-02-30', to: '2026-03-01' }, undefined),
    ).toBeUndefined()
    expect(parseRange({ range: ['7d'] }, { range: 'today' })).toEqual({ range: 'today' })
  })
})

describe('the time of a range', () => {
  const now = utc('2026-11-22T10:20:00')

  test('begins at midnight of the zone and ends with the hour that runs', () => {
    const toMs = utc('2026-11-22T11:00:00')
    expect(toTimeSpan({ range: 'today' }, now)).toEqual({
      fromMs: utc('2026-11-21T23:00:00'),
      toMs,
    })
    expect(toTimeSpan({ range: '7d' }, now)).toEqual({ fromMs: utc('2026-11-15T23:00:00'), toMs })
    expect(toTimeSpan({ range: 'month' }, now)).toEqual({
      fromMs: utc('2026-10-31T23:00:00'),
      toMs,
    })
  })

  test('counts days by the calendar where the clocks were changed', () => {
    // 30 days back is summer time: midnight is an hour earlier in UTC.
    expect(toTimeSpan({ range: '30d' }, now).fromMs).toBe(utc('2026-10-23T22:00:00'))
    const change = toTimeSpan({ range: 'custom', from: '2026-10-25', to: '2026-10-25' }, now)
    expect(change.toMs - change.fromMs).toBe(25 * 3_600_000)
  })

  test('that lies ahead is taken whole, and one that reaches to now is cut there', () => {
    expect(toTimeSpan({ range: 'custom', from: '2026-12-01', to: '2026-12-01' }, now).toMs).toBe(
      utc('2026-12-01T23:00:00'),
    )
    expect(toTimeSpan({ range: 'custom', from: '2026-11-20', to: '2026-12-01' }, now).toMs).toBe(
      utc('2026-11-22T11:00:00'),
    )
  })

  test('is shown by the hour up to two days, and may be up to 1,500 hours', () => {
    const of = (from: string, to: string) => toTimeSpan({ range: 'custom', from, to }, now)
    expect(stepFor(of('2026-10-24', '2026-10-25'))).toBe('hour')
    expect(stepFor(of('2026-10-23', '2026-10-25'))).toBe('day')
    expect(hoursFit(of('2026-06-01', '2026-07-31'))).toBe(true)
    expect(hoursFit(of('2026-06-01', '2026-08-02'))).toBe(false)
  })
})

describe('days that were typed', () => {
  test('are refused in words', () => {
    expect(faultOfDays('2026-11-22', '2026-11-22')).toBeUndefined()
    expect(faultOfDays('2026-11-23', '2026-11-22')).toBe('The first day is after the last one.')
    expect(faultOfDays('', '2026-11-22')).toBe('Give both days, for example 2026-11-22.')
    expect(faultOfDays('2020-01-01', '2026-11-22')).toBe('At most 1,500 days are shown at once.')
  })

  test('are days of the calendar', () => {
    expect(isDay('2028-02-29')).toBe(true)
    expect(isDay('2027-02-29')).toBe(false)
    expect(isDay('0050-01-01')).toBe(false)
    expect(toDay(utc('2026-11-21T23:30:00'))).toBe('2026-11-22')
  })
})
