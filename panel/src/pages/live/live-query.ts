import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../api.ts'

export const pollMs = 2_000
/** After this time without a response, the page says that the service is not responding. */
const answerTimeoutMs = 5_000

/** Polls while the tab is visible. An error is shown at once; the next poll is the retry. */
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
