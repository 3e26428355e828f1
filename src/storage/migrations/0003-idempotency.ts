import type { SchemaModule } from 'kysely'

export async function up(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('idempotency')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('route', 'text', (column) => column.notNull())
    .addColumn('key_digest', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull().unique())
    .addColumn('updated_ms', 'bigint', (column) => column.notNull())
    .addColumn('reply', 'text')
    .addColumn('end_bytes', 'bigint')
    .addPrimaryKeyConstraint('idempotency_key', ['account_id', 'route', 'key_digest'])
    .execute()
  for (const column of ['updated_ms', 'end_bytes'])
    await schema.createIndex(`idempotency_${column}`).on('idempotency').column(column).execute()
}
