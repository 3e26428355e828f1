import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type {
  AccountChanges,
  Invite,
  InviteList,
  IssuedInvite,
  IssuedLink,
  NewInvite,
  PanelAccount,
  PanelAccountList,
} from '../../../../src/protocol/panel-accounts.ts'
import { getJson, postJson, queryString } from '../../api.ts'

const pageRows = 50

/** Page by page, in the order in which they were made. */
export function accountsQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: ['accounts', 'list', search],
    queryFn: ({ pageParam, signal }) => {
      const query = queryString({ search, after: pageParam, limit: pageRows })
      return getJson<PanelAccountList>(`/panel/api/accounts${query}`, signal)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more, last_id }) => (has_more ? (last_id ?? undefined) : undefined),
  })
}

export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: ({ signal }) => getJson<InviteList>('/panel/api/invites', signal),
})

/** What it changed is read anew, wherever it is shown. */
export function useChangeAccount({ id }: Pick<PanelAccount, 'id'>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (changes: AccountChanges) =>
      postJson<PanelAccount>(pathOf('accounts', id), changes),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['accounts'] }),
  })
}

export function useResetLink({ id }: Pick<PanelAccount, 'id'>) {
  return useMutation({
    mutationFn: () => postJson<IssuedLink>(`${pathOf('accounts', id)}/reset-password`, {}),
  })
}

export function useNewInvite() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (invite: NewInvite) => postJson<IssuedInvite>('/panel/api/invites', invite),
    onSuccess: () => queryClient.invalidateQueries(invitesQuery),
  })
}

export function useRevokeInvite({ id }: Pick<Invite, 'id'>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => postJson<unknown>(`${pathOf('invites', id)}/revoke`, {}),
    onSuccess: () => queryClient.invalidateQueries(invitesQuery),
  })
}

function pathOf(collection: 'accounts' | 'invites', id: string): string {
  return `/panel/api/${collection}/${encodeURIComponent(id)}`
}
