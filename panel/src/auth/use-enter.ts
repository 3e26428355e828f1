import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { meQuery } from '../session.ts'

/** Into the panel with a new session: nothing is left of whoever was signed in before. */
export function useEnter(): (next?: string) => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  return async (next = '/keys') => {
    queryClient.clear()
    await queryClient.fetchQuery(meQuery)
    await router.navigate({ href: next, replace: true })
  }
}
