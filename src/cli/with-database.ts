import { ServiceError, StartError } from '../errors.ts'
import { type Database, openDatabase } from '../storage/database.ts'

/** Opens the database for one command. Errors that the operator can fix are printed, with exit code 1. */
export async function withDatabase(
  getDataDir: () => string,
  use: (database: Database) => Promise<void>,
): Promise<void> {
  try {
    const database = await openDatabase(getDataDir())
    try {
      await use(database)
    } finally {
      await database.close()
    }
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof StartError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
