import {
  type InfiniteData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import type { PanelReceiptList } from '../../../../src/protocol/panel-usage.ts'
import type { Receipt } from '../../../../src/protocol/receipt.ts'
import { type ApiInput, callApi } from '../../api.ts'
import { mergeReceipts, missingRunning, withStates } from './merge-receipts.ts'

/** The page begins with at most three screens, also on a phone. */
const pageRows = matchMedia('(max-width: 47.99em)').matches ? 15 : 30
/** Beyond this, the page suggests filters instead of loading more. */
const rowsMax = 2_000
const pollMs = 3_000
/** Maximum number of running requests that one poll asks for by their ids. */
const missingMax = 10

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
    queryFn: async ({ signal }) => {
      const page = await load(undefined, signal)
      // A log without rows can show the newest ones immediately, because nothing moves.
      queryClient.setQueryData<Pages>(logKey, (log) =>
        log?.pages.every(({ data }) => data.length === 0) ? toPages(page) : log,
      )
      return page
    },
    refetchInterval: pollMs,
    enabled: log.data !== undefined,
  })
  const shown = log.data?.pages.flatMap(({ data }) => data)
  useMissingStates(logKey, parameters, missingRunning(shown, latest.data?.data))
  const { receipts, newer } = mergeReceipts(shown, latest.data?.data ?? [])
  const showNewer = () => {
    const { data } = latest
    if (data !== undefined) queryClient.setQueryData<Pages>(logKey, toPages(data))
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

/** Returns a log that begins with the newest page. */
function toPages(newest: PanelReceiptList): Pages {
  return { pages: [newest], pageParams: [undefined] }
}

/**
 * Asks for running requests that the newest page does not include: they ended and the filter leaves them out, or newer
 * ones pushed them off that page. Writes their states into the log.
 */
function useMissingStates(
  logKey: readonly unknown[],
  parameters: Parameters,
  missing: readonly string[],
): void {
  const queryClient = useQueryClient()
  const first = useRef(0)
  useQuery({
    queryKey: ['requests', 'missing', parameters],
    queryFn: async ({ signal }) => {
      // Takes the ids in turn, so that many long requests do not keep the others from being asked for.
      const ids = [...missing, ...missing].slice(first.current % missing.length)
      first.current += missingMax
      const asked = ids.slice(0, Math.min(missing.length, missingMax))
      const found = await Promise.all(
        asked.map((id) => callApi('GET /panel/api/requests', { query: { id, limit: 1 }, signal })),
      )
      const states = new Map(asked.map((id, index) => [id, found[index]?.data[0]]))
      queryClient.setQueryData<Pages>(
        logKey,
        (log) =>
          log && {
            ...log,
            pages: log.pages.map((page) => ({
              ...page,
              data: withStates(page.data, states, parameters?.status),
            })),
          },
      )
      return asked
    },
    enabled: missing.length > 0,
    staleTime: 0,
    refetchInterval: pollMs,
  })
}
