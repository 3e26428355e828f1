import { Type } from 'typebox'
import { receiptsListedDefault, receiptsListedMax } from '../../../limits.ts'
import { PanelLive } from '../../panel-live.ts'
import { PanelReceiptList, PanelUsage, usageSteps } from '../../panel-usage.ts'
import { Receipt, receiptStatuses } from '../../receipt.ts'
import { contract, json } from '../contract.ts'
import { choice, closed, idParams, rowLimit, text, timeMs } from './query.ts'

const usageQuery = Type.Object(
  {
    from_ms: timeMs,
    to_ms: timeMs,
    step: choice(usageSteps),
    time_zone: text,
    key_id: text,
  },
  closed,
)

/** The account's usage and requests, and the state of the service. */
export const activityContracts = {
  usage: contract({
    method: 'GET',
    path: '/panel/api/usage',
    query: usageQuery,
    replies: json(PanelUsage),
  }),
  usageCsv: contract({
    method: 'GET',
    path: '/panel/api/usage.csv',
    query: usageQuery,
    replies: {
      200: { content: { 'text/csv': Type.String() }, headers: ['content-disposition'] },
    },
  }),
  listRequests: contract({
    method: 'GET',
    path: '/panel/api/requests',
    query: Type.Object(
      {
        status: choice(receiptStatuses),
        key_id: text,
        from_ms: Type.Optional(timeMs),
        to_ms: Type.Optional(timeMs),
        after: text,
        limit: rowLimit(receiptsListedMax, receiptsListedDefault),
      },
      closed,
    ),
    replies: json(PanelReceiptList),
  }),
  findRequest: contract({
    method: 'GET',
    path: '/panel/api/requests/:id',
    params: idParams,
    replies: json(Receipt),
  }),
  live: contract({ method: 'GET', path: '/panel/api/live', replies: json(PanelLive) }),
}
