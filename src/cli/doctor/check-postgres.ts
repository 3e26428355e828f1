import { checkConnection } from '../../storage/postgres/check-connection.ts'
import { fault, type Finding, note } from './finding.ts'

/**
 * Checks that PostgreSQL responds. Does not check its files or the ledger's invariants; those are checked only in
 * SQLite.
 */
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
