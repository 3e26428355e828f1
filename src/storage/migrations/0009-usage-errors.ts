import { type RawBuilder, type SchemaModule, sql } from 'kysely'

type Run = (query: RawBuilder<unknown>) => Promise<unknown>

/** Adds counts of errors by hour and code, and records the parameter and the message of an error on its receipt. */
export async function up(schema: SchemaModule, run: Run): Promise<void> {
  for (const name of ['error_param', 'error_message'])
    await schema.alterTable('usage').addColumn(name, 'text').execute()
  await schema
    .createTable('usage_errors')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('begin_ms', 'bigint', (column) => column.notNull())
    .addColumn('code', 'text', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('receipts', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_errors_key', ['account_id', 'key_id', 'begin_ms', 'code'])
    .modifyEnd(sql`without rowid`)
    .execute()
  for (const keyId of [sql`key_id`, sql`''`])
    await run(sql`
      insert into usage_errors (account_id, key_id, begin_ms, code, requests, receipts)
      select account_id, ${keyId}, created_ms - created_ms % 3600000, error_code, count(*), count(*)
      from usage where state = 'final' and error_code is not null group by 1, 2, 3, 4`)
}
