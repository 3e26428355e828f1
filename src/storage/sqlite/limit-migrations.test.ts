import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { limitMigrations } from './limit-migrations.ts'

test('limits of one schema version add their columns to both tables in one migration', async () => {
  const database = new Sqlite(':memory:')
  database.exec('create table accounts (id text); create table api_keys (id text)')
  database.exec("insert into api_keys values ('key_1')")
  const { schema } = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
  const migrations = limitMigrations([
    { wireName: 'requests_per_day', schemaVersion: 9 },
    { wireName: 'requests_per_month', schemaVersion: 9 },
    { wireName: 'tokens_per_year', schemaVersion: 12 },
  ])
  for (const { up } of migrations) await up(schema)

  expect(migrations.map(({ version, name }) => [version, name])).toEqual([
    [9, '0009-requests_per_day-requests_per_month'],
    [12, '0012-tokens_per_year'],
  ])
  expect(database.prepare('select * from api_keys').all()).toEqual([
    { id: 'key_1', requests_per_day: null, requests_per_month: null, tokens_per_year: null },
  ])
  expect(database.prepare('select * from accounts').columns()).toHaveLength(4)
  database.close()
})
