import { queryOptions } from '@tanstack/react-query'
import type { Limits } from '../../src/protocol/panel-limits.ts'
import { getJson } from './api.ts'

export type Me = {
  user: {
    id: string
    email: string
    name: string
    role: 'admin' | 'member'
    two_factor_enabled: boolean
  }
  account: { id: string; name: string; limits: Limits }
}
export type Setup = {
  needs_setup: boolean
  sign_up: 'closed' | 'open' | 'invite'
  oidc: { name: string } | null
  version: string
}

/** Who is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => getJson<Me>('/panel/api/me', signal),
  staleTime: Infinity,
})

/** What somebody who is not signed in may do. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => getJson<Setup>('/panel/api/setup', signal),
})
