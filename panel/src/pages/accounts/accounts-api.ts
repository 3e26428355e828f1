import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type {
  AccountChanges,
  Invite,
  NewInvite,
  PanelAccount,
} from '../../../../src/protocol/panel-accounts.ts'
import { callApi } from '../../api.ts'
import { setupQuery } from '../../session.ts'

/** The page begins with at most three screens, also with many accounts. */
const accountsListed = 20

/** Queries the accounts page by page, oldest first. */
export function accountsQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: ['accounts', 'list', search],
    queryFn: ({ pageParam, signal }) =>
      callApi('GET /panel/api/accounts', {
        query: { search, after: pageParam, limit: accountsListed },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more, last_id }) => (has_more ? (last_id ?? undefined) : undefined),
  })
}

export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: ({ signal }) => callApi('GET /panel/api/invites', { signal }),
})

/** Changes an account and reloads every list that shows it. */
export function useChangeAccount({ id }: Pick<PanelAccount, 'id'>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (changes: AccountChanges) =>
      callApi('POST /panel/api/accounts/:id', { params: { id }, body: changes }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['accounts'] }),
  })
}

export function useResetLink({ id }: Pick<PanelAccount, 'id'>) {
  return useMutation({
    mutationFn: () => callApi('POST /panel/api/accounts/:id/reset-password', { params: { id } }),
  })
}

/** Turns invites on or off. */
export function useAllowInvites() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (allowed: boolean) =>
      callApi('POST /panel/api/invites/allowed', { body: { allowed } }),
    onSuccess: (list) => {
      queryClient.setQueryData(invitesQuery.queryKey, list)
      return queryClient.invalidateQueries(setupQuery)
    },
  })
}

export function useNewInvite() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (invite: NewInvite) => callApi('POST /panel/api/invites', { body: invite }),
    onSuccess: () => queryClient.invalidateQueries(invitesQuery),
  })
}

export function useRevokeInvite({ id }: Pick<Invite, 'id'>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => callApi('POST /panel/api/invites/:id/revoke', { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries(invitesQuery),
  })
}
