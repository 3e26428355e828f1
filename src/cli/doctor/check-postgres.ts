import { StartError } from '../../errors.ts'
import { inspectPostgres } from '../../storage/inspection/inspect-postgres.ts'
import { schemaVersion } from '../../storage/postgres/schema.ts'
import { budgetOf, ledgerFindings, unreadable } from './check-ledger.ts'
import { fault, type Finding, note, ok } from './finding.ts'

type Inspection = Awaited<ReturnType<typeof inspectPostgres>>

/** Checks PostgreSQL's connection, the version of its tables, and its ledger. PostgreSQL checks its own files. */
export async function checkPostgres(url: string, { full }: { full: boolean }): Promise<Finding[]> {
  let inspection: Inspection
  try {
    inspection = await inspectPostgres(url, { nowMs: Date.now(), budgetMs: budgetOf(full) })
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const remedy = 'Follow the sentence above, then run this command again; see docs/operations.md.'
    return [fault('database', error.message, remedy)]
  }
  const { ledger, isServed } = inspection
  const database = checkTables(inspection)
  if (ledger === undefined) return [database]
  return [
    database,
    ...(ledger instanceof Error ? [unreadable(ledger)] : ledgerFindings(ledger, isServed)),
  ]
}

function checkTables({ server, schema, mayCreateTables }: Inspection): Finding {
  switch (schema.state) {
    case 'missing':
    case 'older':
      if (!mayCreateTables)
        return fault(
          'database',
          `${server}: its user may not create tables, which the next start needs.`,
          'Make the user the owner of the database, or `grant create on schema public to` it.',
        )
      return schema.state === 'missing'
        ? ok('database', `${server}; the first start creates its tables`)
        : note(
            'database',
            `${server}; the next start upgrades its tables from version ${schema.version} to ${schemaVersion}. Its ledger is not checked before that`,
          )
    case 'newer':
      return note(
        'database',
        `${server}; a newer Pipit wrote its tables (version ${schema.version}), which this one can use`,
      )
    case 'current':
      return ok('database', `${server}; its tables have version ${schema.version}`)
  }
}
