import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { forgetUser, meQuery } from '../session.ts'

/** Returns a function that opens the panel with a new session and drops the previous user's cached data. */
export function useEnter(): (next?: string) => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  return async (next = '/keys') => {
    forgetUser(queryClient)
    await queryClient.fetchQuery(meQuery)
    await router.navigate({ href: next, replace: true })
  }
}
