import { Type } from 'typebox'
import { receiptsListedDefault, receiptsListedMax } from '../../limits.ts'
import { Receipt, ReceiptList } from '../receipt.ts'
import { documented } from './contract.ts'

export const listRequests = documented({
  method: 'GET',
  path: '/v1/requests',
  query: Type.Object(
    {
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: receiptsListedMax,
          default: receiptsListedDefault,
          description: 'The number of receipts.',
        }),
      ),
      after: Type.Optional(Type.String({ description: 'The `last_id` of the previous page.' })),
    },
    { additionalProperties: false },
  ),
  operationId: 'listRequests',
  summary: "List the receipts of the account's requests, newest first",
  replies: {
    200: { description: 'One page of receipts.', content: { 'application/json': ReceiptList } },
  },
  errors: [
    'unsupported_parameter',
    'invalid_type',
    'integer_above_max_value',
    'integer_below_min_value',
    'request_not_found',
    'ledger_unavailable',
  ],
})

export const retrieveRequest = documented({
  method: 'GET',
  path: '/v1/requests/:id',
  params: Type.Object({ id: Type.String({ description: 'The `x-request-id` of the reply.' }) }),
  operationId: 'retrieveRequest',
  summary: 'Retrieve the receipt of a request, without its prompt or reply',
  replies: { 200: { description: 'The receipt.', content: { 'application/json': Receipt } } },
  errors: ['request_not_found', 'ledger_unavailable'],
})
