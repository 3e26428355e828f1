import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

const retriesMax = 2

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Retries only if no response came. A refused request would be refused again.
        retry: (failures, error) =>
          failures < retriesMax && (!(error instanceof ApiError) || error.status === 0),
        // The browser's offline state is about the internet; the service may run on this machine.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}
