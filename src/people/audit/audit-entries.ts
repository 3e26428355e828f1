import { type Actor, listAudit } from '../../storage/audit/audit-log.ts'
import type { Database } from '../../storage/database.ts'
import type { AuditRow } from '../../storage/tables.ts'
import type { PanelUser } from '../panel-sessions.ts'

type Facts = Readonly<Record<string, string | number | boolean | null>>
export type AuditLogEntry = Omit<AuditRow, 'before' | 'after'> & {
  before: Facts | null
  after: Facts | null
}

/** Returns the user as an author in the audit log. */
export function toActor({ userId, email }: Pick<PanelUser, 'userId' | 'email'>): Actor {
  return { userId, name: email }
}

/**
 * Returns one page of the audit log, newest first.
 * @param after id of an entry; only older entries are returned
 * @throws ServiceError ledger_unavailable
 */
export async function readAuditLog(
  database: Database,
  limit: number,
  after: string | undefined,
): Promise<AuditLogEntry[]> {
  const rows = await listAudit(database, limit, after)
  return rows.map(({ before, after: changed, ...row }) => ({
    ...row,
    before: parse(before),
    after: parse(changed),
  }))
}

/** Parses a stored column without checks, because only the audit log writes it. */
function parse(text: string | null): Facts | null {
  return text === null ? null : (JSON.parse(text) as Facts)
}
