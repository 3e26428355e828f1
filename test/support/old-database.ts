import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, type RawBuilder, SqliteDialect, type SchemaModule } from 'kysely'
import * as initial from '../../src/storage/migrations/0001-initial.ts'
import * as receipts from '../../src/storage/migrations/0002-receipts.ts'
import * as idempotency from '../../src/storage/migrations/0003-idempotency.ts'
import * as limits from '../../src/storage/migrations/0004-limits.ts'
import * as users from '../../src/storage/migrations/0005-users.ts'
import * as usageSums from '../../src/storage/migrations/0006-usage-sums.ts'
import * as serviceTimes from '../../src/storage/migrations/0007-service-times.ts'
import * as hashedSessions from '../../src/storage/migrations/0008-hashed-sessions.ts'
import * as usageErrors from '../../src/storage/migrations/0009-usage-errors.ts'

type Run = (query: RawBuilder<unknown>) => Promise<{ rows: unknown[] }>
type Up = (schema: SchemaModule, run: Run, dataDir: string) => Promise<void>
/** A schema version before the current one. */
export type OldVersion = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

const migrations: readonly [name: string, up: Up][] = [
  ['0001-initial', initial.up],
  ['0002-receipts', receipts.up],
  ['0003-idempotency', idempotency.up],
  ['0004-limits', limits.up],
  ['0005-users', users.up],
  ['0006-usage-sums', usageSums.up],
  ['0007-service-times', serviceTimes.up],
  ['0008-hashed-sessions', hashedSessions.up],
  ['0009-usage-errors', usageErrors.up],
]

/** Creates a database as an earlier release made it, with the tables of `version` and no rows. */
export async function createOldDatabase(
  dataDir: string,
  version: OldVersion,
): Promise<Sqlite.Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = new Sqlite(join(dataDir, 'pipit.db'))
  file.pragma('application_id = 0x50495054')
  file.pragma('journal_mode = WAL')
  file.exec(
    'create table schema_migrations (version integer primary key, name text not null, applied_ms bigint not null)',
  )
  await upgradeOldDatabase(file, version)
  return file
}

/** Upgrades an old database to a later version, which is still older than the current one. */
export async function upgradeOldDatabase(file: Sqlite.Database, version: OldVersion) {
  file.function('sha256', { deterministic: true }, (text) =>
    createHash('sha256').update(String(text)).digest('hex'),
  )
  const db = new Kysely<never>({ dialect: new SqliteDialect({ database: file }) })
  const done = Number(
    file.prepare('select coalesce(max(version), 0) from schema_migrations').pluck().get(),
  )
  for (const [index, [name, up]] of migrations.entries()) {
    if (index < done || index >= version) continue
    await up(db.schema, (query) => query.execute(db), dirname(file.name))
    file.prepare('insert into schema_migrations values (?, ?, 0)').run(index + 1, name)
  }
}
