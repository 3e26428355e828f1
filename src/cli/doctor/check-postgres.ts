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

function checkTables(inspection: Inspection): Finding {
  const { server, schema } = inspection
  const lacking = checkPrivileges(inspection)
  if (lacking !== undefined) return lacking
  switch (schema.state) {
    case 'missing':
      return ok('database', `${server}; the first start creates its tables`)
    case 'older':
      return note(
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

/** Returns a fault if the user may not do what the next start, or the service, does with the tables. */
function checkPrivileges({ server, schema, privileges }: Inspection): Finding | undefined {
  const { mayCreateTables, otherOwners, unwritable } = privileges
  const isUpgraded = schema.state === 'missing' || schema.state === 'older'
  if (isUpgraded && !mayCreateTables)
    return fault(
      'database',
      `${server}: its user may not create tables, which the next start needs.`,
      'Make the user the owner of the database, or `grant create on schema public to` it.',
    )
  const owners = otherOwners.join(', ')
  if (schema.state === 'older' && owners !== '')
    return fault(
      'database',
      `${server}: its user may not upgrade the tables, which the next start does: some belong to ${owners}.`,
      `Make the user their owner, or \`grant ${owners} to\` it.`,
    )
  if (isUpgraded || unwritable.length === 0) return undefined
  const names = unwritable.slice(0, 3).join(', ') + (unwritable.length > 3 ? ' and others' : '')
  return fault(
    'database',
    `${server}: its user may not write to the tables ${names}.`,
    'Make the user their owner, or `grant select, insert, update, delete on all tables in schema public to` it.',
  )
}
