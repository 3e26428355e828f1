import type { CreateTableBuilder, SchemaModule } from 'kysely'

/** People who sign in. Only better-auth uses `two_factors`, `passkeys` and `verifications`. */
export async function up(schema: SchemaModule): Promise<void> {
  await schema.alterTable('accounts').addColumn('disabled_ms', 'bigint').execute()
  await createUsers(schema)
  await createSessions(schema)
  await createCredentials(schema)
  await createSecondFactors(schema)
  await createVerifications(schema)
  await createOneTimeLinks(schema)
  await schema
    .createTable('service_secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

async function createUsers(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().unique().references('accounts.id'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('email_verified', 'integer', (column) => column.notNull())
    .addColumn('image', 'text')
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('two_factor_enabled', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
}

async function createSessions(schema: SchemaModule): Promise<void> {
  await ofUser(schema.createTable('sessions'))
    .addColumn('token', 'text', (column) => column.notNull().unique())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('ip_address', 'text')
    .addColumn('user_agent', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await indexUser(schema, 'sessions')
}

async function createCredentials(schema: SchemaModule): Promise<void> {
  await ofUser(schema.createTable('credentials'))
    .addColumn('provider_id', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('password', 'text')
    .addColumn('access_token', 'text')
    .addColumn('refresh_token', 'text')
    .addColumn('id_token', 'text')
    .addColumn('access_token_expires_at', 'text')
    .addColumn('refresh_token_expires_at', 'text')
    .addColumn('scope', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('credentials_subject', ['provider_id', 'subject'])
    .execute()
  await indexUser(schema, 'credentials')
}

async function createSecondFactors(schema: SchemaModule): Promise<void> {
  await ofUser(schema.createTable('two_factors'))
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('backup_codes', 'text', (column) => column.notNull())
    .addColumn('verified', 'integer')
    .addColumn('failed_verification_count', 'integer')
    .addColumn('locked_until', 'text')
    .execute()
  await indexUser(schema, 'two_factors')
  await ofUser(schema.createTable('passkeys'))
    .addColumn('name', 'text')
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('counter', 'integer', (column) => column.notNull())
    .addColumn('device_type', 'text', (column) => column.notNull())
    .addColumn('backed_up', 'integer', (column) => column.notNull())
    .addColumn('transports', 'text')
    .addColumn('created_at', 'text')
    .addColumn('aaguid', 'text')
    .execute()
  await indexUser(schema, 'passkeys')
}

async function createVerifications(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('verifications')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('verifications_identifier')
    .on('verifications')
    .column('identifier')
    .execute()
}

async function createOneTimeLinks(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('one_time_links')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('email', 'text')
    .addColumn('role', 'text')
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_ms', 'bigint', (column) => column.notNull())
    .execute()
}

function ofUser<Name extends string>(table: CreateTableBuilder<Name>) {
  return table
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
}

async function indexUser(schema: SchemaModule, table: string): Promise<void> {
  await schema.createIndex(`${table}_user`).on(table).column('user_id').execute()
}
