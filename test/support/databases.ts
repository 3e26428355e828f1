import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, inject } from 'vitest'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/storage/database.ts'
import { createDatabase, dropDatabase, noPostgres } from './postgres/start-postgres.ts'

type Databases = {
  /** Path of a new, empty directory for each test. */
  readonly dataDir: string
  /** Variables with which a command uses the same database. */
  readonly environment: { PIPIT_DATA_DIR: string; PIPIT_DATABASE_URL: string }
  /** Opens the database of the test; it is closed after the test. */
  readonly open: (options?: DatabaseOptions) => Promise<Database>
}

/**
 * URL of PostgreSQL in the Vitest projects that run on it; empty if PostgreSQL is not installed. Undefined in other
 * projects.
 */
const postgresUrl: string | undefined = inject('postgresUrl')

/** Gives each test of a file its own database, which is removed after the test. */
export function useDatabases(): Databases {
  let dataDir = ''
  let url: string | undefined
  let opened: Database[] = []
  beforeEach(async ({ skip }) => {
    skip(postgresUrl === '', noPostgres)
    dataDir = mkdtempSync(join(tmpdir(), 'pipit-'))
    url = postgresUrl === undefined ? undefined : await createDatabase(postgresUrl)
    opened = []
  })
  afterEach(async () => {
    await Promise.all(opened.map((database) => database.close()))
    rmSync(dataDir, { recursive: true })
    if (url !== undefined) await dropDatabase(url)
  })
  return {
    get dataDir() {
      return dataDir
    },
    get environment() {
      return { PIPIT_DATA_DIR: dataDir, PIPIT_DATABASE_URL: url ?? '' }
    },
    async open(options = {}) {
      const database = await openDatabase(dataDir, { url, ...options })
      opened.push(database)
      return database
    },
  }
}

/** Arguments of `skip` for tests that need the SQLite file. */
export const onPostgres = [postgresUrl !== undefined, 'tests the file of SQLite'] as const
