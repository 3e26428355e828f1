import type { SchemaModule } from 'kysely'

/** The time step of the last code that was accepted of each authenticator app. */
export async function up(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('two_factor_steps')
    .addColumn('two_factor_id', 'text', (column) =>
      column.primaryKey().notNull().references('two_factors.id').onDelete('cascade'),
    )
    .addColumn('step', 'integer', (column) => column.notNull())
    .execute()
}
