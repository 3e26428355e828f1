import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { retentionBatchMax } from '../../limits.ts'
import { dayMs } from '../../time/durations.ts'
import type { Database } from '../database.ts'
import { queries, rawQuery, type Statement, toStatement } from '../statement.ts'
import type { AuditRow } from '../tables.ts'
import { auditDays, auditEntriesDropped, auditEntriesMax } from './audit-limits.ts'

type AuditAction =
  | 'key.create'
  | 'key.edit'
  | 'key.rotate'
  | 'key.revoke'
  | 'account.edit'
  | 'user.create'
  | 'user.create_reset_link'
  | 'user.reset_password'
  | 'user.remove_two_factor'
  | 'user.add_passkey'
  | 'user.delete_passkey'
  | 'invites.allow'
  | 'invite.create'
  | 'invite.revoke'
  | 'prices.set'
  | 'prices.remove'
  | 'budget.set'
  | 'budget.remove'
  | 'alerts.edit'
  | 'model.pull'
  | 'model.use'
  | 'model.remove'

/** The author of a change. `name` is an e-mail address for a user. */
export type Actor = { userId: string | null; name: string }

/** The author of changes on the command line: someone who can read the data directory. */
export const commandLineActor: Actor = { userId: null, name: 'command line' }
/** The author of changes that the service makes by itself, such as creating the first key. */
export const serviceActor: Actor = { userId: null, name: 'service' }

type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>

type AuditEntry = {
  by: Actor
  action: AuditAction
  /** The account that the change concerns, if any. */
  accountId: string | null
  /** Id and name of the key, the account, the user or the invite; for a model, its name twice. */
  target: { id: string; name: string }
  /** The changed values before and after, without secrets. */
  before?: Facts
  after?: Facts
}

/**
 * Returns the statements that record a change; none if `before` and `after` are given and empty. Write them in the same
 * unit as the change. They also delete old entries beyond the maximum number.
 */
export function recordAudit(entry: AuditEntry, nowMs: number): Statement[] {
  const { by, action, accountId, target, before, after } = entry
  const isEdit = before !== undefined && after !== undefined
  if (isEdit && Object.keys({ ...before, ...after }).length === 0) return []
  const row: AuditRow = {
    // Ids sort by time.
    id: `audit_${nowMs.toString(16).padStart(12, '0')}${randomBytes(6).toString('hex')}`,
    at_ms: nowMs,
    actor_user_id: by.userId,
    actor: by.name,
    action,
    account_id: accountId,
    target_id: target.id,
    target_name: target.name,
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
  }
  return [toStatement(queries.insertInto('audit_log').values(row)), dropBeyondMax]
}

/**
 * Deletes the oldest entries of the author who has most entries, if there are too many. So a user who makes many
 * changes loses their own entries, and cannot delete those of others.
 */
const dropBeyondMax = toStatement(
  rawQuery(sql`delete from audit_log where id in (
    select id from audit_log where coalesce(actor_user_id, '') = (
      select coalesce(actor_user_id, '') as author from audit_log
      group by author order by count(*) desc, author limit 1)
    order by id
    limit case when (select count(*) from audit_log) > ${sql.lit(auditEntriesMax)}
      then ${sql.lit(auditEntriesDropped)} else 0 end)`),
)

/** Deletes the oldest entries that are too old, at most `retentionBatchMax`. */
export function deleteOldAudit(nowMs: number): Statement {
  const old = queries
    .selectFrom('audit_log')
    .select('id')
    .where('at_ms', '<', nowMs - auditDays * dayMs)
    .orderBy('at_ms')
    .limit(retentionBatchMax)
  return toStatement(queries.deleteFrom('audit_log').where('id', 'in', old))
}

/** Returns the values that differ between two states. */
export function differences(before: Facts, after: Facts): { before: Facts; after: Facts } {
  const names = Object.keys(after).filter((name) => before[name] !== after[name])
  const pick = (facts: Facts) =>
    Object.fromEntries(names.map((name) => [name, facts[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}

/**
 * Returns one page, newest first.
 * @param after only entries older than the one with this id
 * @throws ServiceError ledger_unavailable
 */
export function listAudit(database: Database, limit: number, after?: string): Promise<AuditRow[]> {
  return database.readAside(
    queries
      .selectFrom('audit_log')
      .selectAll()
      .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
      .orderBy('id', 'desc')
      .limit(limit),
  )
}
