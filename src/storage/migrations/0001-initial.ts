import { type SchemaModule, sql } from 'kysely'

export async function up(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .execute()

  await schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('scopes', 'text')
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_ms', 'bigint')
    .addColumn('revoked_ms', 'bigint')
    .addColumn('last_used_ms', 'bigint')
    .execute()

  await createUsage(schema)
  await createUsageHour(schema)
}

// No foreign keys: usage stays on record when a key or an account is deleted.
async function createUsage(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('usage')
    .addColumn('request_id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('route', 'text', (column) => column.notNull())
    .addColumn('stream', 'integer', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) =>
      column.notNull().check(sql`state in ('reserved', 'final')`),
    )
    .addColumn('outcome', 'text')
    .addColumn('finish_reason', 'text')
    .addColumn('prompt_tokens', 'bigint', (column) => column.notNull())
    .addColumn('cached_tokens', 'bigint')
    .addColumn('completion_tokens', 'bigint')
    .addColumn('max_tokens', 'bigint', (column) => column.notNull())
    .addColumn('source', 'text')
    .addColumn('billable', 'integer')
    .addColumn('updated_ms', 'bigint', (column) => column.notNull())
    .addColumn('boot_id', 'text', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('usage_account_created')
    .on('usage')
    .columns(['account_id', 'created_ms'])
    .execute()
  // A small index, which finds the orphans of a crash without reading the whole table.
  await schema
    .createIndex('usage_reserved')
    .on('usage')
    .column('boot_id')
    .where(sql.ref('state'), '=', sql.lit('reserved'))
    .execute()
}

async function createUsageHour(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('usage_hour')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('hour_ms', 'bigint', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('billable', 'integer', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('prompt_tokens', 'bigint', (column) => column.notNull())
    .addColumn('cached_tokens', 'bigint', (column) => column.notNull())
    .addColumn('completion_tokens', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_hour_key', [
      'account_id',
      'hour_ms',
      'key_id',
      'model',
      'billable',
    ])
    .execute()
}
