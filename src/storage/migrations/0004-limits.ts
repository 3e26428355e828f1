import type { SchemaModule } from 'kysely'

export async function up(schema: SchemaModule): Promise<void> {
  const limits = [
    'requests_per_minute',
    'tokens_per_minute',
    'parallel_requests',
    'tokens_per_day',
    'tokens_per_month',
  ]
  // SQLite adds one column per statement.
  for (const table of ['accounts', 'api_keys'])
    for (const limit of limits) await schema.alterTable(table).addColumn(limit, 'bigint').execute()
  await schema.alterTable('api_keys').addColumn('previous_digest', 'text').execute()
  await schema.alterTable('api_keys').addColumn('previous_expires_ms', 'bigint').execute()
  // Each start reads the sums of the month.
  await schema.createIndex('usage_hour_hour').on('usage_hour').column('hour_ms').execute()
}
