import type { ApiInput } from '../../api.ts'
import { parseRange, toTimeSpan, type DayRange } from '../../format/time-range.ts'
import { statuses, type Status } from './receipt-words.ts'

/** The log's filters in the URL. An absent filter matches everything. */
export type RequestsSearch = {
  range?: DayRange['range']
  from?: string
  to?: string
  status?: Status
  /** A key's id. */
  key?: string
}

/** Parses the filters and drops invalid ones. */
export function parseRequestsSearch(search: Readonly<Record<string, unknown>>): RequestsSearch {
  const { key } = search
  const status = statuses.find((name) => name === search['status'])
  return {
    ...parseRange(search, {}),
    ...(status === undefined ? {} : { status }),
    ...(typeof key === 'string' && key !== '' ? { key } : {}),
  }
}

/** Converts the filters to the service's parameters, with the range relative to `nowMs`. */
export function toRequestsParameters(
  search: RequestsSearch,
  nowMs: number,
): Exclude<ApiInput<'GET /panel/api/requests'>['query'], undefined> {
  const range = parseRange(search, undefined)
  const span = range === undefined ? undefined : toTimeSpan(range, nowMs)
  return {
    status: search.status,
    key_id: search.key,
    from_ms: span?.fromMs,
    to_ms: span?.toMs,
  }
}
