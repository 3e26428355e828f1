import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'

type HeldKey = { name: string; key: string }

const queryKey = ['held-key']

/**
 * Keeps an API key in the memory of this tab, where the reference fills it into its examples. The service knows only a
 * hash of it. A reload or a sign-out forgets it.
 */
export function holdKey(queryClient: QueryClient, held: HeldKey | null): void {
  queryClient.setQueryData<HeldKey | null>(queryKey, held)
}

/** The key that was last created, rotated or pasted in this tab. */
export function useHeldKey(): HeldKey | undefined {
  const { data } = useQuery<HeldKey | null>({
    queryKey,
    queryFn: skipToken,
    staleTime: Infinity,
    gcTime: Infinity,
  })
  return data ?? undefined
}
