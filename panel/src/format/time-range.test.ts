import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dayRangeError, hoursFit, parseRange, stepFor, toDay, toTimeSpan } from './time-range.ts'

const zoneBefore = process.env['TZ']
beforeEach(() => {
  process.env['TZ'] = 'Europe/Berlin'
})
afterEach(() => {
  if (zoneBefore === undefined) delete process.env['TZ']
  else process.env['TZ'] = zoneBefore
})

const utc = (text: string) => Date.parse(`${text}Z`)

describe('a range in the URL', () => {
  test('is parsed', () => {
    expect(parseRange({ range: '30d' }, undefined)).toEqual({ range: '30d' })
    expect(
      parseRange({ range: 'custom', from: '2026-10-01', to: '2026-10-31' }, undefined),
    ).toEqual({
      range: 'custom',
      from: '2026-10-01',
      to: '2026-10-31',
    })
  })

  test('falls back to the default when it is invalid', () => {
    expect(parseRange({}, { range: '7d' })).toEqual({ range: '7d' })
    expect(parseRange({ range: 'fortnight' }, undefined)).toBeUndefined()
    expect(
      parseRange({ range: 'custom', from: '2026-02-30', to: '2026-03-01' }, undefined),
    ).toBeUndefined()
    expect(parseRange({ range: ['7d'] }, { range: 'today' })).toEqual({ range: 'today' })
  })
})

describe('the time span of a range', () => {
  const now = utc('2026-11-22T10:20:00')

  test('ends at midnight in a zone whose hours are not those of UTC', () => {
    process.env['TZ'] = 'Asia/Kolkata'
    const span = { fromMs: utc('2026-11-21T18:30:00'), toMs: utc('2026-11-22T18:30:00') }
    expect(toTimeSpan({ range: 'today' }, utc('2026-11-22T18:15:00'))).toEqual(span)
  })

  test('starts at local midnight and ends with the current hour', () => {
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

  test('counts calendar days across a clock change', () => {
    // Summer time still applied 30 days ago, so midnight was an hour earlier in UTC.
    expect(toTimeSpan({ range: '30d' }, now).fromMs).toBe(utc('2026-10-23T22:00:00'))
    const change = toTimeSpan({ range: 'custom', from: '2026-10-25', to: '2026-10-25' }, now)
    expect(change.toMs - change.fromMs).toBe(25 * 3_600_000)
  })

  test('is kept whole when it lies in the future, and ends now when it includes now', () => {
    expect(toTimeSpan({ range: 'custom', from: '2026-12-01', to: '2026-12-01' }, now).toMs).toBe(
      utc('2026-12-01T23:00:00'),
    )
    expect(toTimeSpan({ range: 'custom', from: '2026-11-20', to: '2026-12-01' }, now).toMs).toBe(
      utc('2026-11-22T11:00:00'),
    )
  })

  test('is shown by hour up to two days, and can be up to 1,500 hours', () => {
    const of = (from: string, to: string) => toTimeSpan({ range: 'custom', from, to }, now)
    expect(stepFor(of('2026-10-24', '2026-10-25'))).toBe('hour')
    expect(stepFor(of('2026-10-23', '2026-10-25'))).toBe('day')
    expect(hoursFit(of('2026-06-01', '2026-07-31'))).toBe(true)
    expect(hoursFit(of('2026-06-01', '2026-08-02'))).toBe(false)
  })
})

describe('typed days', () => {
  test('are refused with a message', () => {
    expect(dayRangeError('2026-11-22', '2026-11-22')).toBeUndefined()
    expect(dayRangeError('2026-11-23', '2026-11-22')).toBe('The start date is after the end date.')
    expect(dayRangeError('', '2026-11-22')).toBe('Enter a start date and an end date.')
    expect(dayRangeError('2020-01-01', '2026-11-22')).toBe('Choose a range of at most 1,500 days.')
  })

  test('must exist in the calendar', () => {
    expect(dayRangeError('2028-02-29', '2028-02-29')).toBeUndefined()
    expect(dayRangeError('2027-02-29', '2027-03-01')).toBe('Enter a start date and an end date.')
    expect(dayRangeError('0050-01-01', '2026-01-01')).toBe('Enter a start date and an end date.')
    expect(toDay(utc('2026-11-21T23:30:00'))).toBe('2026-11-22')
  })
})
