import { loadDataDir } from '../config.ts'
import { type Database, openDatabase } from '../storage/database.ts'

/** Opens the database of the configured directory for one command, and closes it afterwards. */
export async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(loadDataDir(process.env))
  try {
    await work(database)
  } finally {
    await database.close()
  }
}
