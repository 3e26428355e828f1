import type { SchemaModule } from 'kysely'

/** Completion tokens spent on reasoning. */
export async function up(schema: SchemaModule): Promise<void> {
  await schema.alterTable('usage').addColumn('reasoning_tokens', 'bigint').execute()
}
