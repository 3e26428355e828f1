import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewPanelKey, PanelKeyChanges } from '../../../../src/protocol/panel-keys.ts'
import { callApi } from '../../api.ts'
import type { KeysSearch } from './keys-search.ts'

const refreshMs = 10_000

/** Keys on one page of the list, which begins with at most three screens, also on a phone. */
export const keysPerPage = 10

export function keysQuery({ search, state, sort, order, page = 1 }: KeysSearch) {
  const query = {
    search,
    state: state ?? 'active',
    sort: sort ?? 'created',
    order: order ?? 'desc',
    offset: (page - 1) * keysPerPage,
    limit: keysPerPage,
  }
  return queryOptions({
    queryKey: ['keys', 'list', query],
    queryFn: ({ signal }) => callApi('GET /panel/api/keys', { query, signal }),
    placeholderData: keepPreviousData,
    // The usage of the limits changes with every request.
    refetchInterval: refreshMs,
    staleTime: 0,
  })
}

/** Names the mutations whose answer has a secret that cannot be shown again. */
export const issueKey = ['issue-key']

export function useCreateKey() {
  return useKeyMutation((body: NewPanelKey) => callApi('POST /panel/api/keys', { body }), issueKey)
}

export function useEditKey(id: string) {
  return useKeyMutation((body: PanelKeyChanges) =>
    callApi('POST /panel/api/keys/:id', { params: { id }, body }),
  )
}

export function useRotateKey(id: string) {
  return useKeyMutation(
    (graceMs: number) =>
      callApi('POST /panel/api/keys/:id/rotate', { params: { id }, body: { grace_ms: graceMs } }),
    issueKey,
  )
}

export function useRevokeKey(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => callApi('POST /panel/api/keys/:id/revoke', { params: { id } }),
    // Waits for the reload, so that the revoked key's link is gone when the dialog closes and restores the focus.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['keys'] }),
  })
}

/** Sends a change of a key and reloads all keys on the page. */
function useKeyMutation<Wanted, Reply>(
  send: (wanted: Wanted) => Promise<Reply>,
  mutationKey?: readonly string[],
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: send,
    ...(mutationKey && { mutationKey }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['keys'] }),
  })
}
