import { type SchemaModule, sql } from 'kysely'

/** Budgets of accounts, the thresholds that they have reached, and the alerts about them. */
export async function up(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('budgets')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().notNull().references('accounts.id'),
    )
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('currency', 'text')
    .addColumn('thresholds', 'text', (column) => column.notNull())
    .addColumn('set_ms', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('budget_alerts')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('month_ms', 'bigint', (column) => column.notNull())
    .addColumn('threshold', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('raised_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('budget_alerts_key', ['account_id', 'month_ms', 'threshold'])
    .execute()
  await schema
    .createTable('alert_settings')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('webhook_url', 'text')
    .addColumn('webhook_secret', 'text')
    .addColumn('mail', 'text')
    .execute()
  await createDeliveries(schema)
}

async function createDeliveries(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('alert_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('alert_id', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_ms', 'bigint', (column) => column.notNull())
    .addColumn('result', 'text')
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('updated_ms', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('alert_deliveries_next')
    .on('alert_deliveries')
    .column('next_ms')
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute()
}
