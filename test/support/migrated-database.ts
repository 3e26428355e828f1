import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/storage/database.ts'

/** Directory of the database to copy. It is removed with the temporary folder of the run. */
let source: Promise<string> | undefined

/**
 * Copies an empty database with all its tables into a directory. Creating the tables takes half of a service's start
 * time.
 */
export async function copyMigratedDatabase(dataDir: string): Promise<void> {
  source ??= createDatabase()
  copyFileSync(join(await source, 'pipit.db'), join(dataDir, 'pipit.db'))
}

async function createDatabase(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-migrated-'))
  const database = await openDatabase(dataDir)
  await database.close()
  return dataDir
}
