import { strict as assert } from 'node:assert'
import { dirname } from 'node:path'
import { type Kysely, type RawBuilder, type SchemaModule, sql } from 'kysely'
import { StartError } from '../../errors.ts'
import * as initial from '../migrations/0001-initial.ts'
import * as receipts from '../migrations/0002-receipts.ts'
import * as idempotency from '../migrations/0003-idempotency.ts'
import * as limits from '../migrations/0004-limits.ts'
import * as users from '../migrations/0005-users.ts'
import * as usageSums from '../migrations/0006-usage-sums.ts'
import * as serviceTimes from '../migrations/0007-service-times.ts'
import * as hashedSessions from '../migrations/0008-hashed-sessions.ts'
import * as usageErrors from '../migrations/0009-usage-errors.ts'
import * as reasoningTokens from '../migrations/0010-reasoning-tokens.ts'
import * as keyHints from '../migrations/from-0011/0011-key-hints.ts'
import * as usageDetails from '../migrations/from-0011/0012-usage-details.ts'
import * as auditLog from '../migrations/from-0011/0013-audit-log.ts'
import * as prices from '../migrations/from-0011/0014-prices.ts'
import * as budgets from '../migrations/from-0011/0015-budgets.ts'
import * as twoFactorSteps from '../migrations/from-0011/0016-two-factor-steps.ts'
import type { Tables } from '../tables.ts'

type Run = (query: RawBuilder<unknown>) => Promise<{ rows: unknown[] }>
type Migration = {
  version: number
  name: string
  up: (schema: SchemaModule, run: Run, dataDir: string) => Promise<void>
}

/** A released migration never changes. */
const migrations: readonly Migration[] = [
  { version: 1, name: '0001-initial', up: initial.up },
  { version: 2, name: '0002-receipts', up: receipts.up },
  { version: 3, name: '0003-idempotency', up: idempotency.up },
  { version: 4, name: '0004-limits', up: limits.up },
  { version: 5, name: '0005-users', up: users.up },
  { version: 6, name: '0006-usage-sums', up: usageSums.up },
  { version: 7, name: '0007-service-times', up: serviceTimes.up },
  { version: 8, name: '0008-hashed-sessions', up: hashedSessions.up },
  { version: 9, name: '0009-usage-errors', up: usageErrors.up },
  { version: 10, name: '0010-reasoning-tokens', up: reasoningTokens.up },
  { version: 11, name: '0011-key-hints', up: keyHints.up },
  { version: 12, name: '0012-usage-details', up: usageDetails.up },
  { version: 13, name: '0013-audit-log', up: auditLog.up },
  { version: 14, name: '0014-prices', up: prices.up },
  { version: 15, name: '0015-budgets', up: budgets.up },
  { version: 16, name: '0016-two-factor-steps', up: twoFactorSteps.up },
]
assert(
  migrations.every(({ version }, index) => version === index + 1),
  'one migration per version',
)

/** The version of the tables that this program reads and writes. */
export const schemaVersion = migrations.length

/**
 * Upgrades the tables to `schemaVersion`. Two processes may do so at the same time.
 * @throws StartError if the tables are newer than this version of the service
 */
export async function migrate(
  db: Kysely<Tables>,
  options: { path: string; nowMs: number; onNew?: () => void; onUpgrade?: () => void },
): Promise<void> {
  if ((await readVersion(db, options.path)) === schemaVersion) return
  await db.connection().execute(async (connection) => {
    // Kysely's own transaction starts with a read lock. Of two such transactions, only one could start to write.
    await sql`begin immediate`.execute(connection)
    try {
      const version = await readVersion(connection, options.path)
      if (version === 0) {
        options.onNew?.()
        await createSchemaMigrations(connection)
      } else if (version < schemaVersion) options.onUpgrade?.()
      for (const migration of migrations)
        if (migration.version > version) await apply(connection, migration, options)
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
  { path, nowMs }: { path: string; nowMs: number },
): Promise<void> {
  await up(db.schema, (query) => query.execute(db), dirname(path))
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
