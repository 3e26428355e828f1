import { expect, test } from 'vitest'
import { LocalDays } from './local-days.ts'

const hourMs = 3_600_000

test.each([
  [
    'a plain zone',
    'UTC',
    '2026-01-01T05:00Z',
    '2026-01-03T00:00Z',
    ['2026-01-01T00:00Z', '2026-01-02T00:00Z', '2026-01-03T00:00Z'],
  ],
  [
    'a day of 23 hours',
    'Europe/Berlin',
    '2026-03-28T23:00Z',
    '2026-03-29T22:00Z',
    ['2026-03-28T23:00Z', '2026-03-29T22:00Z'],
  ],
  [
    'a day of 25 hours',
    'Europe/Berlin',
    '2026-10-24T22:00Z',
    '2026-10-25T23:00Z',
    ['2026-10-24T22:00Z', '2026-10-25T23:00Z'],
  ],
  [
    'half an hour ahead of UTC',
    'Asia/Kolkata',
    '2026-01-01T00:00Z',
    '2026-01-01T18:30Z',
    ['2025-12-31T18:30Z', '2026-01-01T18:30Z'],
  ],
  [
    'a day without midnight',
    'America/Sao_Paulo',
    '2018-11-04T12:00Z',
    '2018-11-04T13:00Z',
    ['2018-11-04T03:00Z', '2018-11-05T02:00Z'],
  ],
  [
    'a midnight that comes twice',
    'Atlantic/Azores',
    '2026-10-25T12:00Z',
    '2026-10-25T13:00Z',
    ['2026-10-25T00:00Z', '2026-10-26T01:00Z'],
  ],
  [
    'a day that was left out',
    'Pacific/Apia',
    '2011-12-29T12:00Z',
    '2011-12-30T12:00Z',
    ['2011-12-29T10:00Z', '2011-12-30T10:00Z', '2011-12-31T10:00Z'],
  ],
])('%s: %s', (_what, zone, from, to, days) => {
  const boundaries = new LocalDays(zone).boundaries(Date.parse(from), Date.parse(to))
  expect(boundaries.map((ms) => new Date(ms).toISOString())).toEqual(
    days.map((day) => new Date(day).toISOString()),
  )
})

test('in every zone, consecutive days have 22 to 26 hours', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const days = new LocalDays(zone).boundaries(Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 15))
    const hours = days.slice(1).map((endMs, i) => (endMs - (days[i] ?? 0)) / hourMs)
    expect({ zone, least: Math.min(...hours) >= 22, most: Math.max(...hours) <= 26 }).toEqual({
      zone,
      least: true,
      most: true,
    })
  }
})

test('an unknown time zone is refused', () => {
  expect(() => new LocalDays('Mars/Olympus')).toThrow(RangeError)
})
