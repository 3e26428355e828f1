import { expect, test } from 'vitest'
import { parseRequestsSearch, toRequestsParameters } from './requests-search.ts'

test('a URL of the log is read back, and what it cannot mean is left out', () => {
  const search = { range: 'today', status: 'failed', key: 'key_1' }
  expect(parseRequestsSearch(search)).toEqual(search)
  expect(parseRequestsSearch({ range: 'ever', status: 'lost', key: '' })).toEqual({})
})

test('without filters nothing is asked but the latest', () => {
  expect(toRequestsParameters({}, 0)).toEqual({})
})
