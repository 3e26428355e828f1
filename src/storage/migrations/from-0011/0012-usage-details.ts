import { type RawBuilder, type SchemaModule, sql } from 'kysely'

type Run = (query: RawBuilder<unknown>) => Promise<unknown>

/** Adds hourly histograms of queueing time and time to first token, counts of refusals, and an index of error codes. */
export async function up(schema: SchemaModule, run: Run): Promise<void> {
  await schema
    .createTable('usage_times')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('begin_ms', 'bigint', (column) => column.notNull())
    .addColumn('bucket', 'integer', (column) => column.notNull())
    .addColumn('queued', 'bigint', (column) => column.notNull())
    .addColumn('first_tokens', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_times_key', ['account_id', 'key_id', 'begin_ms', 'bucket'])
    .modifyEnd(sql`without rowid`)
    .execute()
  await schema.createIndex('usage_times_begin').on('usage_times').column('begin_ms').execute()
  await schema
    .createIndex('usage_error')
    .on('usage')
    .columns(['account_id', 'error_code', 'created_ms'])
    .where(sql.ref('error_code'), 'is not', null)
    .execute()
  await schema
    .alterTable('usage_errors')
    .addColumn('refused', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await run(sql.raw(countRefusals))
}

/**
 * Counts the refusals among the errors. Errors that never had a receipt are all refusals; the others are counted from
 * the receipts that still exist. Refusals whose receipts were deleted cannot be counted.
 */
export const countRefusals = `
  update usage_errors set refused = requests - receipts + (
    select count(*) from usage
    where usage.account_id = usage_errors.account_id and usage.outcome = 'refused' and usage.state = 'final'
      and usage.error_code = usage_errors.code
      and (usage_errors.key_id = '' or usage.key_id = usage_errors.key_id)
      and usage.created_ms >= usage_errors.begin_ms and usage.created_ms < usage_errors.begin_ms + 3600000)`
