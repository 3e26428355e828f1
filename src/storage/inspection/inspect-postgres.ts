import type pg from 'pg'
import { connect } from '../postgres/connection.ts'
import { checkDatabaseUrl, withoutPassword } from '../postgres/database-url.ts'
import { startErrorOf } from '../postgres/postgres-fault.ts'
import { readSchema, runningMs, type SchemaState } from '../postgres/schema.ts'
import {
  type InspectionOptions,
  type InspectionQuery,
  type LedgerInspection,
  ledgerQueries,
} from './inspect-ledger.ts'
import { type PostgresPrivileges, readPrivileges } from './postgres-privileges.ts'

/** Timeout of each query, which may read a whole table. */
const queryTimeoutMs = 10 * 60_000

type PostgresInspection = {
  /** The server and its database, without the password. */
  readonly server: string
  readonly schema: SchemaState
  readonly privileges: PostgresPrivileges
  /** True if a service has sent a heartbeat lately. */
  readonly isServed: boolean
  /** The error of the server if the ledger cannot be read. Undefined if the tables are missing or of an older version. */
  readonly ledger: LedgerInspection | Error | undefined
}

/**
 * Checks the connection, the tables' version and the ledger. Changes nothing.
 * @throws StartError with what is wrong with the database and what to do
 */
export async function inspectPostgres(
  url: string,
  options: Omit<InspectionOptions, 'isServed'>,
): Promise<PostgresInspection> {
  checkDatabaseUrl(url)
  try {
    const client = await connect(url, queryTimeoutMs)
    try {
      return await inspect(client, url, options)
    } finally {
      await client.end().catch(() => {})
    }
  } catch (error) {
    throw startErrorOf(error, url)
  }
}

async function inspect(
  client: pg.Client,
  url: string,
  options: Omit<InspectionOptions, 'isServed'>,
): Promise<PostgresInspection> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  const server = `PostgreSQL ${rows[0]?.server_version ?? ''} at ${withoutPassword(url)}`
  const privileges = await readPrivileges(client)
  const schema = await readSchema(client)
  if (schema.state === 'missing' || schema.state === 'older')
    return { server, schema, privileges, isServed: false, ledger: undefined }
  const { rowCount } = await client.query(
    'select 1 from replicas where closed = 0 and heartbeat_ms + $1::bigint > pipit_now()',
    [runningMs],
  )
  const isServed = (rowCount ?? 0) > 0
  const ledger = await inspectLedger(client, { ...options, isServed }).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  )
  return { server, schema, privileges, isServed, ledger }
}

async function inspectLedger(
  client: pg.Client,
  options: InspectionOptions,
): Promise<LedgerInspection> {
  const inspection = ledgerQueries(options)
  let step = inspection.next([])
  while (step.done !== true) {
    const { text, values } = toPostgres(step.value)
    const { rows } = await client.query<unknown[]>({ text, values, rowMode: 'array' })
    step = inspection.next(rows.map(([value]) => value))
  }
  return step.value
}

/**
 * Rewrites a query for PostgreSQL. Only the usage at the end of a kept reply is read as JSON, because PostgreSQL refuses
 * texts with U+0000 or half a surrogate pair, which a reply may have.
 */
function toPostgres({ sql, parameters }: InspectionQuery): { text: string; values: number[] } {
  const names = Object.keys(parameters)
  const text = sql
    .replaceAll(/(?<!:):(\w+)/g, (_, name: string) => `$${names.indexOf(name) + 1}`)
    .replaceAll(
      /json_extract\(reply, '\$\.events\[#-1\]\.usage\.(\w+)'\)/g,
      (_, name: string) =>
        String.raw`(substring(reply from '"usage":(\{[^{}]*\})\}\]\}$')::json ->> '${name}')::bigint`,
    )
  return { text, values: Object.values(parameters) }
}
