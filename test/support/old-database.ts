import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect, type SchemaModule } from 'kysely'
import * as initial from '../../src/storage/migrations/0001-initial.ts'
import * as receipts from '../../src/storage/migrations/0002-receipts.ts'
import * as idempotency from '../../src/storage/migrations/0003-idempotency.ts'
import * as limits from '../../src/storage/migrations/0004-limits.ts'
import * as users from '../../src/storage/migrations/0005-users.ts'

const migrations: readonly [name: string, up: (schema: SchemaModule) => Promise<void>][] = [
  ['0001-initial', initial.up],
  ['0002-receipts', receipts.up],
  ['0003-idempotency', idempotency.up],
  ['0004-limits', limits.up],
  ['0005-users', users.up],
]

/** Creates a database as an earlier release made it, with the tables of `version` and no rows. */
export async function createOldDatabase(
  dataDir: string,
  version: 1 | 2 | 3 | 4 | 5,
): Promise<Sqlite.Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = new Sqlite(join(dataDir, 'pipit.db'))
  file.pragma('application_id = 0x50495054')
  file.pragma('journal_mode = WAL')
  const { schema } = new Kysely<never>({ dialect: new SqliteDialect({ database: file }) })
  for (const [, up] of migrations.slice(0, version)) await up(schema)
  file.exec(
    'create table schema_migrations (version integer primary key, name text not null, applied_ms bigint not null)',
  )
  file
    .prepare('insert into schema_migrations values (?, ?, 0)')
    .run(version, migrations[version - 1]?.[0])
  return file
}
