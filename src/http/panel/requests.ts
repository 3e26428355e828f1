import type { QueryOf } from '../../protocol/operations/contract.ts'
import { activityContracts as contracts } from '../../protocol/operations/panel/activity.ts'
import { receiptsExportedMax } from '../../protocol/panel/values.ts'
import type { ReceiptFilter, Receipts } from '../../usage/receipts.ts'
import { receiptsExportedBatch } from '../../usage/usage-limits.ts'
import { operation, type PanelOperation } from '../operation.ts'
import { findReceipt, listReceipts } from '../operations/requests.ts'
import { HttpResponse } from '../reply/http-response.ts'
import {
  type ExportedReceipt,
  toExportedReceipt,
  toReceiptsCsv,
} from '../wire/panel/export/to-receipts-export.ts'
import { signedIn } from '../access/check-session.ts'

const csvHeaders = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="pipit-requests.csv"',
}

/** The receipts of the account's requests, newest first. */
export function panelRequestOperations(receipts: Receipts): PanelOperation[] {
  return [
    operation(
      contracts.listRequests,
      signedIn,
    )(async ({ query: { limit, after, ...query }, user }) => {
      const { data, hasMore } = await listReceipts(receipts, user.accountId, {
        ...(limit !== undefined && { limit }),
        ...toFilter(query),
        after: after || undefined,
      })
      return { data, has_more: hasMore, last_id: data.at(-1)?.id ?? null }
    }),
    operation(
      contracts.requestsCsv,
      signedIn,
    )(async ({ query, user }) => {
      const { data } = await exportReceipts(receipts, user.accountId, toFilter(query))
      return new HttpResponse(200, toReceiptsCsv(data), csvHeaders)
    }),
    operation(
      contracts.requestsJson,
      signedIn,
    )(({ query, user }) => exportReceipts(receipts, user.accountId, toFilter(query))),
    operation(
      contracts.findRequest,
      signedIn,
    )(({ params, user }) => findReceipt(receipts, user.accountId, params.id, 'id')),
  ]
}

/** The panel sends an empty string for a filter that is not set. */
function toFilter(query: QueryOf<typeof contracts.requestsCsv>): ReceiptFilter {
  return {
    requestId: query.id || undefined,
    status: query.status,
    errorCode: query.error_code || undefined,
    keyId: query.key_id || undefined,
    fromMs: query.from_ms,
    toMs: query.to_ms,
  }
}

/** Reads page by page, because the parameters of one receipt may be large. */
async function exportReceipts(
  receipts: Receipts,
  accountId: string,
  filter: ReceiptFilter,
): Promise<{ data: ExportedReceipt[]; has_more: boolean }> {
  const data: ExportedReceipt[] = []
  let after: string | undefined
  for (;;) {
    const limit = Math.min(receiptsExportedBatch, receiptsExportedMax - data.length)
    const page = await listReceipts(receipts, accountId, { ...filter, limit, after })
    data.push(...page.data.map(toExportedReceipt))
    after = page.data.at(-1)?.id
    if (!page.hasMore || data.length >= receiptsExportedMax) return { data, has_more: page.hasMore }
  }
}
