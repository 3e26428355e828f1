import type { PanelAccounts } from '../../people/panel-accounts.ts'
import { auditContracts as contracts } from '../../protocol/operations/panel/audit.ts'
import { auditListedDefault } from '../../sign-in-limits.ts'
import { operation, type PanelOperation } from '../operation.ts'
import { adminOnly } from '../access/check-session.ts'

/** The audit log, for administrators. */
export function panelAuditOperation(accounts: PanelAccounts): PanelOperation {
  return operation(
    contracts.list,
    adminOnly,
  )(async ({ query: { limit = auditListedDefault, after } }) => {
    const found = await accounts.auditLog(limit + 1, after || undefined)
    const data = found.slice(0, limit)
    return { data, has_more: found.length > limit, last_id: data.at(-1)?.id ?? null }
  })
}
