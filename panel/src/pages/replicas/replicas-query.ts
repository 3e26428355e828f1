import { infiniteQueryOptions } from '@tanstack/react-query'
import { callApi } from '../../api.ts'

export const pollMs = 5_000

/** Polls while the tab is visible. The leases come in pages, and the first page also has the rest of the overview. */
export const replicasQuery = infiniteQueryOptions({
  queryKey: ['replicas'],
  queryFn: ({ pageParam, signal }) =>
    callApi('GET /panel/api/replicas', { query: { after: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ leases }) => (leases.has_more ? (leases.last_id ?? undefined) : undefined),
  refetchInterval: pollMs,
  refetchIntervalInBackground: false,
  staleTime: 0,
})
