import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  IssuedPanelKey,
  NewPanelKey,
  PanelKey,
  PanelKeyChanges,
  PanelKeyList,
} from '../../../../src/protocol/panel-keys.ts'
import { getJson, postJson, queryString } from '../../api.ts'
import type { KeysSearch } from './keys-search.ts'

const base = '/panel/api/keys'
export const keysPerPage = 50
const refreshMs = 10_000

export function keysQuery({ search, state, sort, order, page = 1 }: KeysSearch) {
  const query = queryString({
    search,
    state: state ?? 'active',
    sort: sort ?? 'created',
    order: order ?? 'desc',
    offset: (page - 1) * keysPerPage,
    limit: keysPerPage,
  })
  return queryOptions({
    queryKey: ['keys', 'list', query],
    queryFn: ({ signal }) => getJson<PanelKeyList>(base + query, signal),
    placeholderData: keepPreviousData,
    // The bars of use move with every request.
    refetchInterval: refreshMs,
    staleTime: 0,
  })
}

export function useCreateKey() {
  return useKeyMutation((wanted: NewPanelKey) => postJson<IssuedPanelKey>(base, wanted))
}

export function useEditKey(id: string) {
  return useKeyMutation((changes: PanelKeyChanges) => postJson<PanelKey>(urlOf(id), changes))
}

export function useRotateKey(id: string) {
  return useKeyMutation((graceMs: number) =>
    postJson<IssuedPanelKey>(`${urlOf(id)}/rotate`, { grace_ms: graceMs }),
  )
}

export function useRevokeKey(id: string) {
  return useKeyMutation(() => postJson<PanelKey>(`${urlOf(id)}/revoke`, {}))
}

/** Whatever is shown of keys is asked for again after a change. */
function useKeyMutation<Wanted, Reply>(send: (wanted: Wanted) => Promise<Reply>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['keys'] }),
  })
}

function urlOf(id: string): string {
  return `${base}/${encodeURIComponent(id)}`
}
