import type { SchemaModule } from 'kysely'

/** The part of the completion tokens that was sampled for thoughts. */
export async function up(schema: SchemaModule): Promise<void> {
  await schema.alterTable('usage').addColumn('reasoning_tokens', 'bigint').execute()
}
