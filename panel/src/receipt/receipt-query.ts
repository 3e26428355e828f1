import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../api.ts'

const runningPollMs = 2_000

/** Queries the receipt of one request. Polls until the request has ended. */
export function receiptQuery(id: string) {
  return queryOptions({
    queryKey: ['requests', 'one', id],
    queryFn: ({ signal }) => callApi('GET /panel/api/requests/:id', { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'in_progress' ? runningPollMs : false),
  })
}
