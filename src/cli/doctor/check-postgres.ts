import { checkConnection } from '../../storage/postgres/check-connection.ts'
import { fault, type Finding, note } from './finding.ts'

/** Checks that PostgreSQL answers. Its files are its own, and the ledger's invariants are checked in a file only. */
export async function checkPostgres(url: string): Promise<Finding> {
  try {
    return note('database', `${await checkConnection(url)}; its ledger is not checked`)
  } catch (error) {
    return fault(
      'database',
      error instanceof Error ? error.message : String(error),
      'Start PostgreSQL, or correct PIPIT_DATABASE_URL; see docs/operations.md.',
    )
  }
}
