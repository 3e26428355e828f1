import { queryOptions } from '@tanstack/react-query'
import { callApi } from './api.ts'

/** The signed-in user and their account. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => callApi('GET /panel/api/me', { signal }),
  staleTime: Infinity,
})

/** The sign-up mode, the OIDC button and the password rule. Needs no session. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => callApi('GET /panel/api/setup', { signal }),
})
