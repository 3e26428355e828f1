import {
  type InfiniteData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { PanelReceiptList } from '../../../../src/protocol/panel-usage.ts'
import type { Receipt } from '../../../../src/protocol/receipt.ts'
import { type ApiInput, callApi } from '../../api.ts'
import { mergeReceipts } from './merge-receipts.ts'

/** The page begins with at most three screens, also on a phone. */
const pageRows = matchMedia('(max-width: 47.99em)').matches ? 15 : 30
/** Beyond this, the page suggests filters instead of loading more. */
const rowsMax = 2_000
const pollMs = 3_000

type Parameters = ApiInput<'GET /panel/api/requests.csv'>['query']
type Pages = InfiniteData<PanelReceiptList, string | undefined>

export type RequestLog = {
  /** The shown receipts; undefined while loading. */
  receipts: readonly Receipt[] | undefined
  error: Error | null
  /** The number of newer requests that are not shown yet. `showNewer` shows them. */
  newer: number
  /** True when there may be more newer requests than `newer` counts. */
  newerMore: boolean
  hasOlder: boolean
  full: boolean
  loadingOlder: boolean
  showNewer: () => void
  loadOlder: () => void
  retry: () => void
}

/**
 * Loads receipts page by page, latest first. Shown rows stay where they are: running requests are
 * updated in place, and new requests are only counted.
 */
export function useRequestLog(parameters: Parameters): RequestLog {
  const queryClient = useQueryClient()
  const load = (after: string | undefined, signal: AbortSignal) => {
    const query = { ...parameters, after, limit: pageRows }
    return callApi('GET /panel/api/requests', { query, signal })
  }
  const logKey = ['requests', 'log', parameters]
  const log = useInfiniteQuery({
    queryKey: logKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more, last_id }) => (has_more ? (last_id ?? undefined) : undefined),
    // The shown pages are reloaded only when the user asks for it.
    staleTime: Infinity,
  })
  const latest = useQuery({
    queryKey: ['requests', 'latest', parameters],
    queryFn: ({ signal }) => load(undefined, signal),
    refetchInterval: pollMs,
    enabled: log.data !== undefined,
  })
  const shown = log.data?.pages.flatMap(({ data }) => data)
  const { receipts, newer } = mergeReceipts(shown, latest.data?.data ?? [])
  const showNewer = () => {
    const { data } = latest
    if (data === undefined) return
    queryClient.setQueryData<Pages>(logKey, { pages: [data], pageParams: [undefined] })
  }
  return {
    receipts,
    error: log.error ?? latest.error,
    newer,
    newerMore: newer === pageRows,
    hasOlder: log.hasNextPage,
    full: (shown?.length ?? 0) >= rowsMax,
    loadingOlder: log.isFetchingNextPage,
    showNewer,
    loadOlder: () => void log.fetchNextPage(),
    retry: () => {
      if (log.data === undefined) void log.refetch()
      else if (log.isFetchNextPageError) void log.fetchNextPage()
      else void latest.refetch()
    },
  }
}
