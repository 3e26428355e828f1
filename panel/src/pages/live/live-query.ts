import { queryOptions } from '@tanstack/react-query'
import type { PanelLive } from '../../../../src/protocol/panel-live.ts'
import { getJson } from '../../api.ts'

export const pollMs = 2_000
/** A service that is silent for this long is said not to answer. */
const answerTimeoutMs = 5_000

/** Stops while the tab is hidden; a failure is shown at once and tried again with the next turn. */
export const liveQuery = queryOptions({
  queryKey: ['live'],
  queryFn: ({ signal }) =>
    getJson<PanelLive>(
      '/panel/api/live',
      AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
    ),
  refetchInterval: pollMs,
  refetchIntervalInBackground: false,
  staleTime: 0,
  retry: false,
})
