import { receiptsListedDefault, receiptsListedMax } from '../../limits.ts'
import type { PanelReceiptList } from '../../protocol/panel-usage.ts'
import type { Receipt } from '../../protocol/receipt.ts'
import { receiptStatuses } from '../../usage/outcome.ts'
import type { Receipts } from '../../usage/receipts.ts'
import { Query } from '../request/query.ts'
import type { PanelRoute } from '../route.ts'
import { receiptNotFound, receiptToWire } from '../operations/requests.ts'

/** The log of the account's requests, the latest first. */
export function panelRequestRoutes(receipts: Receipts): PanelRoute[] {
  const session = { method: 'GET', auth: 'session', role: 'any' } as const
  return [
    {
      ...session,
      url: '/panel/api/requests',
      handler: async (request, _reply, { accountId }): Promise<PanelReceiptList> => {
        const query = new Query(request.query, [
          'status',
          'key_id',
          'from_ms',
          'to_ms',
          'after',
          'limit',
        ])
        const limit =
          query.integer('limit', { min: 1, max: receiptsListedMax }) ?? receiptsListedDefault
        const found = await receipts.list(accountId, limit + 1, {
          status: query.choice('status', receiptStatuses),
          keyId: query.text('key_id') || undefined,
          fromMs: query.time('from_ms'),
          toMs: query.time('to_ms'),
          after: query.text('after') || undefined,
        })
        if (found === undefined) throw receiptNotFound('after')
        const data = found.slice(0, limit).map(receiptToWire)
        return { data, has_more: found.length > limit, last_id: data.at(-1)?.id ?? null }
      },
    },
    {
      ...session,
      url: '/panel/api/requests/:id',
      handler: async (request, _reply, { accountId }): Promise<Receipt> => {
        const { id } = request.params as { id: string }
        const found = await receipts.find(accountId, id)
        if (found === undefined) throw receiptNotFound('id')
        return receiptToWire(found)
      },
    },
  ]
}
