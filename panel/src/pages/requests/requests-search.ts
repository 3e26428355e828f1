import { parseRange, toTimeSpan, type DayRange } from '../../format/time-range.ts'
import { statuses, type Status } from './receipt-words.ts'

/** Which requests are listed, as the URL has it; what is absent does not narrow the list. */
export type RequestsSearch = {
  range?: DayRange['range']
  from?: string
  to?: string
  status?: Status
  /** An id. */
  key?: string
}

/** What cannot be read is left out. */
export function parseRequestsSearch(search: Readonly<Record<string, unknown>>): RequestsSearch {
  const { key } = search
  const status = statuses.find((name) => name === search['status'])
  return {
    ...parseRange(search, {}),
    ...(status === undefined ? {} : { status }),
    ...(typeof key === 'string' && key !== '' ? { key } : {}),
  }
}

/** The same for the service; `range` as it is at this moment. */
export function toRequestsParameters(
  search: RequestsSearch,
  nowMs: number,
): Record<string, string | number | undefined> {
  const range = parseRange(search, undefined)
  const span = range === undefined ? undefined : toTimeSpan(range, nowMs)
  return {
    status: search.status,
    key_id: search.key,
    from_ms: span?.fromMs,
    to_ms: span?.toMs,
  }
}
