import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

const retriesMax = 2

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // What was refused is refused again; what could not be reached may come back.
        retry: (failures, error) =>
          failures < retriesMax && (!(error instanceof ApiError) || error.status === 0),
        // "Offline" is about the internet; the service may be on this machine.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}
