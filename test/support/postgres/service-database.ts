import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../src/storage/database.ts'
import { createDatabase } from './start-postgres.ts'

/** URL of the PostgreSQL that stores the data of test services. Undefined: they use SQLite. */
let server: string | undefined
/** A database with all tables, which the databases of the services are copied from. */
let template: Promise<string> | undefined

export function storeServicesIn(postgresUrl: string | undefined): void {
  if (postgresUrl === server) return
  server = postgresUrl
  template = undefined
}

/** Creates a database for a test service, with all tables, and returns its URL. Undefined where SQLite is used. */
export async function newServiceDatabase(): Promise<string | undefined> {
  if (server === undefined) return undefined
  template ??= migrated(server)
  return await createDatabase(server, await template)
}

/** Reads the ledger in a process of its own, so that a test reads PostgreSQL and SQLite in the same way. */
export function readPostgresLedger(url: string): Record<string, unknown>[] {
  const sql = "select coalesce(json_agg(u order by created_ms), '[]') from usage u"
  return JSON.parse(
    execFileSync('psql', [url, '--no-psqlrc', '--tuples-only', '--no-align', '--command', sql], {
      encoding: 'utf8',
    }),
  ) as Record<string, unknown>[]
}

/** Returns the name of a new database with all tables. */
async function migrated(postgresUrl: string): Promise<string> {
  const url = await createDatabase(postgresUrl)
  const database = await openDatabase(mkdtempSync(join(tmpdir(), 'pipit-migrated-')), { url })
  await database.close()
  return new URL(url).pathname.slice(1)
}
