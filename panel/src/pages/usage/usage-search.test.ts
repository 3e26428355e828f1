import { expect, test } from 'vitest'
import { parseUsageSearch, toUsageView } from './usage-search.ts'

const nowMs = Date.parse('2026-11-22T10:20:00Z')

test('the URL of the usage page is parsed, and invalid parameters are dropped', () => {
  const search = {
    range: 'custom',
    from: '2026-11-01',
    to: '2026-11-02',
    step: 'hour',
    key: 'key_1',
  }
  expect(parseUsageSearch(search)).toEqual(search)
  expect(parseUsageSearch({ range: 'ever', step: 'minute', key: 7 })).toEqual({})
})

test('hours are shown on request, but only for a range that is short enough', () => {
  expect(toUsageView({ range: '30d', step: 'hour' }, nowMs).step).toBe('hour')
  expect(toUsageView({ range: '30d' }, nowMs).step).toBe('day')
  const long = { range: 'custom', from: '2026-01-01', to: '2026-06-30', step: 'hour' } as const
  expect(toUsageView(long, nowMs)).toMatchObject({ step: 'day', hoursFit: false })
})

test('days in the wrong order have an error message', () => {
  const search = { range: 'custom', from: '2026-11-03', to: '2026-11-02' } as const
  expect(toUsageView(search, nowMs).fault).toBe('The start date is after the end date.')
  expect(toUsageView({}, nowMs).fault).toBeUndefined()
})
