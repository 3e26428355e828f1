import { Type } from 'typebox'
import { auditListedDefault, auditListedMax } from '../../../sign-in-limits.ts'
import { AuditList } from '../../panel/audit.ts'
import { contract, json } from '../contract.ts'
import { closed, rowLimit, text } from './query.ts'

export const auditContracts = {
  list: contract({
    method: 'GET',
    path: '/panel/api/audit',
    query: Type.Object(
      { after: text, limit: rowLimit(auditListedMax, auditListedDefault) },
      closed,
    ),
    replies: json(AuditList),
  }),
}
