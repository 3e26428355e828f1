import type { SchemaModule } from 'kysely'

/** Moments that the service remembers over a restart. */
export async function up(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('service_times')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .execute()
}
