import { queryOptions } from '@tanstack/react-query'
import type { Me, SetUpState } from '../../src/protocol/panel-session.ts'
import { getJson } from './api.ts'

/** Who is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => getJson<Me>('/panel/api/me', signal),
  staleTime: Infinity,
})

/** What somebody who is not signed in may do, and what a password must be. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => getJson<SetUpState>('/panel/api/setup', signal),
})
