import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/storage/database.ts'
import { useDatabases } from '../../support/databases.ts'

const databases = useDatabases()
/** Columns of migration 0001 that are no longer used; PostgreSQL never had them. */
const unused = ['usage.source', 'usage.billable']
/** Tables for several services on one database. The SQLite file does not have them. */
const ofReplicas = ['replicas', 'limit_pools', 'limit_leases', 'change_counts', 'schema_needs']

test('PostgreSQL has the columns of the file, and each is as often null', async () => {
  await databases.open()
  const client = new pg.Client(databases.environment.PIPIT_DATABASE_URL)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; nullable: boolean }>(
      `select table_name || '.' || column_name as name, is_nullable = 'YES' as nullable
      from information_schema.columns
      where table_schema = current_schema() and table_name <> all ($1)`,
      [ofReplicas],
    )
    const columns = Object.fromEntries(rows.map(({ name, nullable }) => [name, nullable]))
    expect(columns).toEqual(await columnsOfFile())
  } finally {
    await client.end()
  }
})

async function columnsOfFile(): Promise<Record<string, boolean>> {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-'))
  try {
    await (await openDatabase(folder)).close()
    const file = new Sqlite(join(folder, 'pipit.db'), { readonly: true })
    try {
      const rows = file
        .prepare<[], { name: string; required: number }>(
          `select t.name || '.' || c.name as name, c."notnull" or c.pk > 0 as required
          from pragma_table_list t join pragma_table_info(t.name) c
          where t.type = 'table' and t.name not like 'sqlite_%'`,
        )
        .all()
      const used = rows.filter(({ name }) => !unused.includes(name))
      return Object.fromEntries(used.map(({ name, required }) => [name, required === 0]))
    } finally {
      file.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
