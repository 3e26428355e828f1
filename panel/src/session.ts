import { queryOptions } from '@tanstack/react-query'
import type { Me, SetUpState } from '../../src/protocol/panel-session.ts'
import { getJson } from './api.ts'

/** The signed-in user and their account. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => getJson<Me>('/panel/api/me', signal),
  staleTime: Infinity,
})

/** The sign-up mode, the OIDC button and the password rule. Needs no session. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => getJson<SetUpState>('/panel/api/setup', signal),
})
