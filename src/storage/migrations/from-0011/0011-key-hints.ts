import type { SchemaModule } from 'kysely'

/** The last four characters of a key. Those of older keys are not known. */
export async function up(schema: SchemaModule): Promise<void> {
  await schema.alterTable('api_keys').addColumn('last_chars', 'text').execute()
}
