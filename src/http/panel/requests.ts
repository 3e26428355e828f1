import { activityContracts as contracts } from '../../protocol/operations/panel/activity.ts'
import type { Receipts } from '../../usage/receipts.ts'
import { operation, type PanelOperation } from '../operation.ts'
import { findReceipt, listReceipts } from '../operations/requests.ts'

/** The receipts of the account's requests, newest first. */
export function panelRequestOperations(receipts: Receipts): PanelOperation[] {
  const signedIn = { auth: 'session', role: 'any' } as const
  return [
    operation(
      contracts.listRequests,
      signedIn,
    )(async ({ query, user }) => {
      const { from_ms: fromMs, to_ms: toMs, status } = query
      const { data, hasMore } = await listReceipts(receipts, user.accountId, {
        ...(query.limit !== undefined && { limit: query.limit }),
        status,
        fromMs,
        toMs,
        // The panel sends an empty text for no filter.
        keyId: query.key_id || undefined,
        after: query.after || undefined,
      })
      return { data, has_more: hasMore, last_id: data.at(-1)?.id ?? null }
    }),
    operation(
      contracts.findRequest,
      signedIn,
    )(({ params, user }) => findReceipt(receipts, user.accountId, params.id, 'id')),
  ]
}
