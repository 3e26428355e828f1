import { Type } from 'typebox'
import { receiptsListedDefault, receiptsListedMax } from '../../../limits.ts'
import { PanelLive } from '../../panel-live.ts'
import { leasesListedDefault, leasesListedMax, PanelReplicas } from '../../panel/replicas.ts'
import { ExportedReceipts, PanelReceiptList, PanelUsage, usageSteps } from '../../panel-usage.ts'
import { receiptStatuses } from '../../panel/values.ts'
import { Receipt } from '../../receipt.ts'
import { contract, json } from '../contract.ts'
import { choice, closed, idParams, rowLimit, text, timeMs } from './query.ts'

const usageParameters = {
  from_ms: timeMs,
  to_ms: timeMs,
  step: choice(usageSteps),
  time_zone: text,
  key_id: text,
}
const usageQuery = Type.Object(usageParameters, closed)

const requestFilters = {
  /** Full id of one request. */
  id: text,
  status: choice(receiptStatuses),
  error_code: text,
  key_id: text,
  from_ms: Type.Optional(timeMs),
  to_ms: Type.Optional(timeMs),
}
const exportQuery = Type.Object(requestFilters, closed)

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
    query: Type.Object({ ...usageParameters, table: choice(['time', 'keys']) }, closed),
    replies: {
      200: { content: { 'text/csv': Type.String() }, headers: ['content-disposition'] },
    },
  }),
  listRequests: contract({
    method: 'GET',
    path: '/panel/api/requests',
    query: Type.Object(
      {
        ...requestFilters,
        after: text,
        limit: rowLimit(receiptsListedMax, receiptsListedDefault),
      },
      closed,
    ),
    replies: json(PanelReceiptList),
  }),
  requestsCsv: contract({
    method: 'GET',
    path: '/panel/api/requests.csv',
    query: exportQuery,
    replies: {
      200: { content: { 'text/csv': Type.String() }, headers: ['content-disposition'] },
    },
  }),
  requestsJson: contract({
    method: 'GET',
    path: '/panel/api/requests.json',
    query: exportQuery,
    replies: json(ExportedReceipts),
  }),
  findRequest: contract({
    method: 'GET',
    path: '/panel/api/requests/:id',
    params: idParams,
    replies: json(Receipt),
  }),
  live: contract({ method: 'GET', path: '/panel/api/live', replies: json(PanelLive) }),
  replicas: contract({
    method: 'GET',
    path: '/panel/api/replicas',
    query: Type.Object(
      { after: text, limit: rowLimit(leasesListedMax, leasesListedDefault) },
      closed,
    ),
    replies: json(PanelReplicas),
  }),
}
