import { receiptStatuses } from '../../../../src/protocol/panel/values.ts'
import type { ApiInput } from '../../api.ts'
import { endOf, parseRange, startOf, type DayRange } from '../../format/time-range.ts'
import type { Status } from './receipt-words.ts'

/** The log's filters in the URL. An absent filter matches everything. */
export type RequestsSearch = {
  range?: DayRange['range']
  from?: string
  to?: string
  status?: Status
  /** The code of an error. */
  error?: string
  /** The whole id of one request. */
  id?: string
  /** A key's id. */
  key?: string
}

/** Parses the filters and drops invalid ones. */
export function parseRequestsSearch(search: Readonly<Record<string, unknown>>): RequestsSearch {
  const { key, error, id } = search
  const status = receiptStatuses.find((name) => name === search['status'])
  return {
    ...parseRange(search, {}),
    ...(status === undefined ? {} : { status }),
    ...(typeof error === 'string' && error !== '' ? { error } : {}),
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(typeof key === 'string' && key !== '' ? { key } : {}),
  }
}

/**
 * Converts the filters to the service's parameters, with the range relative to `nowMs`. They stay the same until
 * midnight, so that the log, which is loaded by these parameters, stays too.
 */
export function toRequestsParameters(
  search: RequestsSearch,
  nowMs: number,
): Exclude<ApiInput<'GET /panel/api/requests.csv'>['query'], undefined> {
  const range = parseRange(search, undefined)
  return {
    status: search.status,
    error_code: search.error,
    id: search.id,
    key_id: search.key,
    from_ms: range && startOf(range, nowMs),
    to_ms: range && endOf(range),
  }
}
