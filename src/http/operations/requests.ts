import { ServiceError } from '../../errors.ts'
import { receiptsListedDefault } from '../../limits.ts'
import { listRequests, retrieveRequest } from '../../protocol/operations/requests.ts'
import type { Receipt } from '../../protocol/receipt.ts'
import type { ReceiptFilter, Receipts } from '../../usage/receipts.ts'
import { type ApiOperation, operation } from '../operation.ts'
import { toReceipt } from '../wire/to-receipt.ts'

export function requestOperations(receipts: Receipts): ApiOperation[] {
  const read = { auth: 'api-key', scope: 'read' } as const
  return [
    operation(
      listRequests,
      read,
    )(async ({ query, caller }) => {
      const { data, hasMore } = await listReceipts(receipts, caller.accountId, query)
      return {
        object: 'list',
        data,
        has_more: hasMore,
        first_id: data.at(0)?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
      }
    }),
    operation(
      retrieveRequest,
      read,
    )(({ params, caller }) => findReceipt(receipts, caller.accountId, params.id, 'request_id')),
  ]
}

/** @throws ServiceError request_not_found when the account has no request with the id `after` */
export async function listReceipts(
  receipts: Receipts,
  accountId: string,
  { limit = receiptsListedDefault, ...filter }: ReceiptFilter & { limit?: number },
): Promise<{ data: Receipt[]; hasMore: boolean }> {
  const found = await receipts.list(accountId, limit + 1, filter)
  if (found === undefined) throw receiptNotFound('after')
  return { data: found.slice(0, limit).map(toReceipt), hasMore: found.length > limit }
}

/**
 * Returns the receipt of one request.
 * @param param the parameter that an error names
 * @throws ServiceError request_not_found
 */
export async function findReceipt(
  receipts: Receipts,
  accountId: string,
  id: string,
  param: string,
): Promise<Receipt> {
  const found = await receipts.find(accountId, id)
  if (found === undefined) throw receiptNotFound(param)
  return toReceipt(found)
}

/** Another account's request looks the same as one that does not exist. */
function receiptNotFound(param: string): ServiceError {
  return new ServiceError(
    'request_not_found',
    'This account has no such request, or its receipt has expired.',
    { param },
  )
}
