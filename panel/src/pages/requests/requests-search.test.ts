import { expect, test } from 'vitest'
import { parseRequestsSearch, toRequestsParameters } from './requests-search.ts'

test('the URL of the log is parsed, and invalid parameters are dropped', () => {
  const search = { range: 'today', status: 'failed', error: 'timeout', id: 'req_1', key: 'key_1' }
  expect(parseRequestsSearch(search)).toEqual(search)
  expect(parseRequestsSearch({ range: 'ever', status: 'lost', key: '', error: '', id: 1 })).toEqual(
    {},
  )
})

test('without filters, no parameters are sent', () => {
  expect(toRequestsParameters({}, 0)).toEqual({})
})
