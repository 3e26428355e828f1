import type { SchemaModule } from 'kysely'

/** Changes of keys, limits and people. */
export async function up(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('audit_log')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('actor_user_id', 'text')
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text')
    .addColumn('target_id', 'text', (column) => column.notNull())
    .addColumn('target_name', 'text', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .execute()
  await schema.createIndex('audit_log_at').on('audit_log').column('at_ms').execute()
}
