import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type ApiInput, apiUrl, callApi } from '../../api.ts'
import type { UsageView } from './usage-search.ts'

export const refreshMs = 30_000

export function usageQuery(view: UsageView, key: string | undefined) {
  const query = toQuery(view, key)
  return queryOptions({
    queryKey: ['usage', query],
    queryFn: ({ signal }) => callApi('GET /panel/api/usage', { query, signal }),
    enabled: view.fault === undefined,
    // Keeps the last range on screen while another one loads.
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
}

/** Returns the URL of the page's numbers as CSV, with one row per point or per key. */
export function csvUrl(view: UsageView, key: string | undefined, table: 'time' | 'keys'): string {
  return apiUrl('GET /panel/api/usage.csv', { query: { ...toQuery(view, key), table } })
}

/** Returns the URL of all the page's numbers as JSON. */
export function jsonUrl(view: UsageView, key: string | undefined): string {
  return apiUrl('GET /panel/api/usage', { query: toQuery(view, key) })
}

function toQuery(
  { span, step }: UsageView,
  key: string | undefined,
): ApiInput<'GET /panel/api/usage'>['query'] {
  return {
    from_ms: span.fromMs,
    to_ms: span.toMs,
    step,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    key_id: key,
  }
}
