import type { SchemaModule } from 'kysely'

/** Prices by the UTC day from which they apply, in millionths of the currency per million tokens. */
export async function up(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('prices')
    .addColumn('from_ms', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('prompt_micros', 'bigint', (column) => column.notNull())
    .addColumn('cached_micros', 'bigint', (column) => column.notNull())
    .addColumn('completion_micros', 'bigint', (column) => column.notNull())
    .execute()
}
