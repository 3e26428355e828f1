import { type Kysely, type RawBuilder, type SchemaModule, sql } from 'kysely'
import { StartError } from '../errors.ts'
import * as initial from './migrations/0001-initial.ts'
import * as receipts from './migrations/0002-receipts.ts'
import * as idempotency from './migrations/0003-idempotency.ts'
import * as limits from './migrations/0004-limits.ts'
import * as users from './migrations/0005-users.ts'
import * as usageSums from './migrations/0006-usage-sums.ts'
import type { Tables } from './tables.ts'

type Run = (query: RawBuilder<unknown>) => Promise<unknown>
type Migration = { name: string; up: (schema: SchemaModule, run: Run) => Promise<void> }

/** Version n is the n-th of these; a released one never changes. */
const migrations: readonly Migration[] = [
  { name: '0001-initial', up: initial.up },
  { name: '0002-receipts', up: receipts.up },
  { name: '0003-idempotency', up: idempotency.up },
  { name: '0004-limits', up: limits.up },
  { name: '0005-users', up: users.up },
  { name: '0006-usage-sums', up: usageSums.up },
]

export const schemaVersion = migrations.length

/**
 * Brings the tables to `schemaVersion`; two processes that do so at once do not disturb each other.
 * @throws StartError the tables are newer than this version of the service
 */
export async function migrate(
  db: Kysely<Tables>,
  options: { path: string; nowMs: number; onNew?: () => void; onUpgrade?: () => void },
): Promise<void> {
  if ((await readVersion(db, options.path)) === schemaVersion) return
  await db.connection().execute(async (connection) => {
    // Kysely's own transaction begins as a reader, which two starting processes cannot both end.
    await sql`begin immediate`.execute(connection)
    try {
      const version = await readVersion(connection, options.path)
      if (version === 0) {
        options.onNew?.()
        await createSchemaMigrations(connection)
      } else if (version < schemaVersion) options.onUpgrade?.()
      for (const [index, migration] of migrations.entries())
        if (index >= version) await apply(connection, migration, index + 1, options.nowMs)
      await sql`commit`.execute(connection)
    } catch (error) {
      await sql`rollback`.execute(connection).catch(() => undefined)
      throw error
    }
  })
}

async function apply(
  db: Kysely<Tables>,
  { name, up }: Migration,
  version: number,
  nowMs: number,
): Promise<void> {
  await up(db.schema, (query) => query.execute(db))
  await db.insertInto('schema_migrations').values({ version, name, applied_ms: nowMs }).execute()
}

/** 0: no table of ours yet. */
async function readVersion(db: Kysely<Tables>, path: string): Promise<number> {
  const tables = await db.introspection.getTables()
  if (!tables.some((table) => table.name === 'schema_migrations')) return 0
  const row = await db
    .selectFrom('schema_migrations')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst()
  const version = Number(row?.version ?? 0)
  if (version > schemaVersion)
    throw new StartError(
      `${path} was written by a newer Pipit (schema ${version}; this one knows ${schemaVersion}): ` +
        'start that version, or restore a backup of before the upgrade.',
    )
  return version
}

async function createSchemaMigrations(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('schema_migrations')
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_ms', 'bigint', (column) => column.notNull())
    .execute()
}
