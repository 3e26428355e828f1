import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { callApi, showUser } from './api.ts'

const refreshMs = 3_600_000

/**
 * The signed-in user and their account. Asking for them extends the session, so a page that stays open asks again every
 * hour while it is shown, and when it is shown again.
 */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const me = await callApi('GET /panel/api/me', { signal })
    showUser(me.user.id)
    return me
  },
  staleTime: refreshMs,
  refetchInterval: refreshMs,
})

/** Drops the user's cached data, so that another user can sign in. */
export function forgetUser(queryClient: QueryClient): void {
  queryClient.clear()
  showUser(undefined)
}

/** The sign-up mode, the OIDC button and the password rule. Needs no session. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => callApi('GET /panel/api/setup', { signal }),
})
