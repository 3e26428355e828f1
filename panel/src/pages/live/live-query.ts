import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../api.ts'

export const pollMs = 2_000
/** A service that is silent for this long is said not to answer. */
const answerTimeoutMs = 5_000

/** Stops while the tab is hidden; a failure is shown at once and tried again with the next turn. */
export const liveQuery = queryOptions({
  queryKey: ['live'],
  queryFn: ({ signal }) =>
    callApi('GET /panel/api/live', {
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
    }),
  refetchInterval: pollMs,
  refetchIntervalInBackground: false,
  staleTime: 0,
  retry: false,
})
