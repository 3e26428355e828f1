import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'

type HeldKey = { name: string; key: string }

const queryKey = ['held-key']

/**
 * Keeps an API key in this tab's memory, so that the reference can fill it into its examples. The service stores only
 * the key's hash. A reload or a sign-out clears the key.
 */
export function holdKey(queryClient: QueryClient, held: HeldKey | null): void {
  // By default, data that no page uses is dropped after five minutes.
  queryClient.setQueryDefaults(queryKey, { gcTime: Infinity })
  queryClient.setQueryData<HeldKey | null>(queryKey, held)
}

/** Returns the key that was last created, rotated or pasted in this tab. */
export function useHeldKey(): HeldKey | undefined {
  const { data } = useQuery<HeldKey | null>({
    queryKey,
    queryFn: skipToken,
    staleTime: Infinity,
    gcTime: Infinity,
  })
  return data ?? undefined
}
