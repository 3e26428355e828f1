import { queryOptions } from '@tanstack/react-query'
import { callApi } from './api.ts'

/** Who is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => callApi('GET /panel/api/me', { signal }),
  staleTime: Infinity,
})

/** What somebody who is not signed in may do, and what a password must be. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => callApi('GET /panel/api/setup', { signal }),
})
