import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { PanelUsage } from '../../../../src/protocol/panel-usage.ts'
import { getJson, queryString } from '../../api.ts'
import type { UsageView } from './usage-search.ts'

const refreshMs = 30_000

export function usageQuery(view: UsageView, key: string | undefined) {
  const parameters = usageParameters(view, key)
  return queryOptions({
    queryKey: ['usage', parameters],
    queryFn: ({ signal }) => getJson<PanelUsage>(`/panel/api/usage${parameters}`, signal),
    enabled: view.fault === undefined,
    // While another range loads, the last one stays where it is.
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
}

/** The same numbers as a file. */
export function csvUrl(view: UsageView, key: string | undefined): string {
  return `/panel/api/usage.csv${usageParameters(view, key)}`
}

function usageParameters({ span, step }: UsageView, key: string | undefined): string {
  return queryString({
    from_ms: span.fromMs,
    to_ms: span.toMs,
    step,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    key_id: key,
  })
}
