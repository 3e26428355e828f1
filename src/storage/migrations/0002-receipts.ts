import type { SchemaModule } from 'kysely'

export async function up(schema: SchemaModule): Promise<void> {
  const columns = [
    ['queue_ms', 'bigint'],
    ['prefill_ms', 'bigint'],
    ['decode_ms', 'bigint'],
    ['seed', 'bigint'],
    ['fingerprint', 'text'],
    ['error_code', 'text'],
    ['parameters', 'text'],
    ['ignored', 'text'],
  ] as const
  // SQLite adds one column per statement.
  for (const [name, type] of columns)
    await schema.alterTable('usage').addColumn(name, type).execute()
  await schema.createIndex('usage_created').on('usage').column('created_ms').execute()
}
