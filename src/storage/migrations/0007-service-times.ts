import type { SchemaModule } from 'kysely'

/** Times that the service keeps across restarts. */
export async function up(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('service_times')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .execute()
}
