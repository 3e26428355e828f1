import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { openDatabase, type Database, type DatabaseOptions } from '../../src/storage/database.ts'

type Databases = {
  /** Path of a new, empty directory for each test. */
  readonly dataDir: string
  /** Opens the database of the directory; it is closed after the test. */
  readonly open: (options?: DatabaseOptions) => Promise<Database>
}

/** Gives each test of a file its own data directory, which is removed after the test. */
export function useDatabases(): Databases {
  let dataDir = ''
  let opened: Database[] = []
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'pipit-'))
    opened = []
  })
  afterEach(async () => {
    await Promise.all(opened.map((database) => database.close()))
    rmSync(dataDir, { recursive: true })
  })
  return {
    get dataDir() {
      return dataDir
    },
    async open(options = {}) {
      const database = await openDatabase(dataDir, options)
      opened.push(database)
      return database
    },
  }
}
