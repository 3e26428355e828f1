/** A table that a transfer copies, with the columns of its primary key. */
export type TransferredTable = { name: string; key: readonly string[] }

/**
 * Every table but `schema_migrations`, ordered so that referenced rows are copied before the rows that refer to them.
 */
export const transferredTables: readonly TransferredTable[] = [
  { name: 'accounts', key: ['id'] },
  { name: 'api_keys', key: ['id'] },
  { name: 'users', key: ['id'] },
  { name: 'sessions', key: ['id'] },
  { name: 'credentials', key: ['id'] },
  { name: 'two_factors', key: ['id'] },
  { name: 'two_factor_steps', key: ['two_factor_id'] },
  { name: 'passkeys', key: ['id'] },
  { name: 'verifications', key: ['id'] },
  { name: 'one_time_links', key: ['id'] },
  { name: 'usage', key: ['request_id'] },
  { name: 'usage_sums', key: ['account_id', 'span', 'key_id', 'begin_ms'] },
  { name: 'usage_errors', key: ['account_id', 'key_id', 'begin_ms', 'code'] },
  { name: 'usage_times', key: ['account_id', 'key_id', 'begin_ms', 'bucket'] },
  { name: 'idempotency', key: ['account_id', 'route', 'key_digest'] },
  { name: 'service_times', key: ['name'] },
  { name: 'audit_log', key: ['id'] },
  { name: 'prices', key: ['from_ms'] },
  { name: 'budgets', key: ['account_id'] },
  { name: 'budget_alerts', key: ['account_id', 'month_ms', 'threshold'] },
  { name: 'alert_settings', key: ['name'] },
  { name: 'alert_deliveries', key: ['id'] },
]

/** Columns of SQLite that are no longer used, and that PostgreSQL never had. */
export const unusedColumns: ReadonlySet<string> = new Set(['usage.source', 'usage.billable'])

/** Returns the name in quotes, for use in a statement. All names are those of our own tables. */
export function quoted(name: string): string {
  return `"${name}"`
}
