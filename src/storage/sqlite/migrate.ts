import { strict as assert } from 'node:assert'
import { type Kysely, type RawBuilder, type SchemaModule, sql } from 'kysely'
import { StartError } from '../../errors.ts'
import { type KeyLimit, keyLimits } from '../../key-limits.ts'
import * as initial from '../migrations/0001-initial.ts'
import * as receipts from '../migrations/0002-receipts.ts'
import * as idempotency from '../migrations/0003-idempotency.ts'
import * as limits from '../migrations/0004-limits.ts'
import * as users from '../migrations/0005-users.ts'
import * as usageSums from '../migrations/0006-usage-sums.ts'
import type { Tables } from '../tables.ts'
import { limitMigrations } from './limit-migrations.ts'

type Run = (query: RawBuilder<unknown>) => Promise<unknown>
type Migration = {
  version: number
  name: string
  up: (schema: SchemaModule, run: Run) => Promise<void>
}

/** A released migration never changes. */
const written: readonly Migration[] = [
  { version: 1, name: '0001-initial', up: initial.up },
  { version: 2, name: '0002-receipts', up: receipts.up },
  { version: 3, name: '0003-idempotency', up: idempotency.up },
  { version: 4, name: '0004-limits', up: limits.up },
  { version: 5, name: '0005-users', up: users.up },
  { version: 6, name: '0006-usage-sums', up: usageSums.up },
]
const isLater = ({ schemaVersion: since }: KeyLimit) =>
  written.every(({ version }) => version !== since)
const migrations: readonly Migration[] = [
  ...written,
  ...limitMigrations(keyLimits.filter(isLater)),
].toSorted((a, b) => a.version - b.version)
assert(
  migrations.every(({ version }, index) => version === index + 1),
  'one migration per version',
)

const schemaVersion = migrations.length

/**
 * Upgrades the tables to `schemaVersion`. Two processes may do so at the same time.
 * @throws StartError the tables are newer than this version of the service
 */
export async function migrate(
  db: Kysely<Tables>,
  options: { path: string; nowMs: number; onNew?: () => void; onUpgrade?: () => void },
): Promise<void> {
  if ((await readVersion(db, options.path)) === schemaVersion) return
  await db.connection().execute(async (connection) => {
    // Kysely's own transaction begins as a reader; two such transactions could not both begin to write.
    await sql`begin immediate`.execute(connection)
    try {
      const version = await readVersion(connection, options.path)
      if (version === 0) {
        options.onNew?.()
        await createSchemaMigrations(connection)
      } else if (version < schemaVersion) options.onUpgrade?.()
      for (const migration of migrations)
        if (migration.version > version) await apply(connection, migration, options.nowMs)
      await sql`commit`.execute(connection)
    } catch (error) {
      await sql`rollback`.execute(connection).catch(() => undefined)
      throw error
    }
  })
}

async function apply(
  db: Kysely<Tables>,
  { version, name, up }: Migration,
  nowMs: number,
): Promise<void> {
  await up(db.schema, (query) => query.execute(db))
  await db.insertInto('schema_migrations').values({ version, name, applied_ms: nowMs }).execute()
}

/** Returns 0 for a database without our tables. */
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
      `${path} was written by a newer Pipit (schema ${version}; this version supports up to ${schemaVersion}). ` +
        'Start that version, or restore a backup from before the upgrade.',
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
