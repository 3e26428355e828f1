import { isDeepStrictEqual } from 'node:util'
import { StartError } from '../../errors.ts'
import { withoutPassword } from '../postgres/database-url.ts'
import { startErrorOf } from '../postgres/postgres-fault.ts'
import type { SqlValue } from '../statement.ts'
import { type Position, PostgresTarget } from './postgres-target.ts'
import { SqliteSource } from './sqlite-source.ts'
import type { TableTally } from './tally.ts'
import { type TransferredTable, transferredTables, unusedColumns } from './transferred-tables.ts'

/** Rows per transaction: a few hundred kilobytes, or a few megabytes if the rows have stored replies. */
const batchRows = 1000

type Tallies = Record<string, TableTally>
type Columns = ReadonlyMap<string, readonly string[]>

export type TransferProgress = { table: string; rows: number; rowsTotal: number }

type TransferOptions = {
  /** A database file or a data directory. */
  source: string
  /** URL of PostgreSQL. */
  target: string
  onProgress: (progress: TransferProgress) => void
  now: () => number
}

export type TransferResult = {
  /** `already` if an earlier run has copied the same rows. */
  state: 'copied' | 'already'
  /** True if this run continued an interrupted one. */
  resumed: boolean
  /** Rows that this run wrote. */
  rowsWritten: number
  tables: Tallies
  writeMs: number
}

/**
 * Copies all rows of a database file to PostgreSQL, and compares the counts and sums of both. After an interruption at
 * any point, the next run continues after the last transaction.
 * @throws StartError with what is wrong and what to do
 */
export async function transferToPostgres(options: TransferOptions): Promise<TransferResult> {
  const source = SqliteSource.open(options.source)
  try {
    const target = await PostgresTarget.open(options.target)
    try {
      return await transfer(source, target, options)
    } finally {
      await target.close()
    }
  } catch (error) {
    throw toStartError(error, options.target)
  } finally {
    source.close()
  }
}

async function transfer(
  source: SqliteSource,
  target: PostgresTarget,
  { onProgress, now }: TransferOptions,
): Promise<TransferResult> {
  const state = await target.state()
  const ownColumns = new Map(transferredTables.map(({ name }) => [name, usedColumns(source, name)]))
  const tables: Tallies = {}
  for (const { name } of transferredTables)
    tables[name] = source.tally(name, ownColumns.get(name) ?? [])
  if (state !== undefined) refuseOther(state, tables, { source, target })
  if (state?.finishedMs !== undefined)
    return { state: 'already', resumed: false, rowsWritten: 0, tables, writeMs: 0 }
  if (state === undefined) await target.begin(JSON.stringify(tables), now())
  const columns = await commonColumns(ownColumns, target)
  const startMs = performance.now()
  const rowsWritten = await copyTables(source, target, {
    columns,
    tables,
    position: state?.position,
    onProgress,
  })
  const writeMs = performance.now() - startMs
  await compare(target, columns, tables)
  await target.finish(now())
  return { state: 'copied', resumed: state !== undefined, rowsWritten, tables, writeMs }
}

function usedColumns(source: SqliteSource, table: string): string[] {
  return source.columns(table).filter((column) => !unusedColumns.has(`${table}.${column}`))
}

/** @throws StartError the target was filled from other rows */
function refuseOther(
  state: { source: string; finishedMs: number | undefined },
  tables: Tallies,
  { source, target }: { source: SqliteSource; target: PostgresTarget },
): void {
  const before = JSON.parse(state.source) as Tallies
  if (isDeepStrictEqual(before, tables)) return
  const changed = Object.keys(tables).filter(
    (name) => !isDeepStrictEqual(before[name], tables[name]),
  )
  const names = changed.slice(0, 3).join(', ')
  throw new StartError(
    state.finishedMs === undefined
      ? `${source.path} has changed since the copy to ${target.name} began (${names}). Create an empty database with \`createdb\`, and migrate to that one.`
      : `${target.name} is not empty: it has the rows of another migration. Create an empty database with \`createdb\`.`,
  )
}

/** @throws StartError the target lacks a column */
async function commonColumns(own: Columns, target: PostgresTarget): Promise<Columns> {
  const theirs = await target.columns()
  for (const [table, columns] of own) {
    const missing = columns.filter((column) => !(theirs.get(table) ?? []).includes(column))
    if (missing.length > 0)
      throw new StartError(
        `${target.name} has tables of another version (${table} lacks ${missing.join(', ')}). Use the version of Pipit that began this migration.`,
      )
  }
  return own
}

type CopyOptions = {
  columns: Columns
  tables: Tallies
  position: Position | undefined
  onProgress: (progress: TransferProgress) => void
}

/** Returns the number of rows that were written. */
async function copyTables(
  source: SqliteSource,
  target: PostgresTarget,
  { columns, tables, position, onProgress }: CopyOptions,
): Promise<number> {
  const first = transferredTables.findIndex(({ name }) => name === (position?.table ?? 'accounts'))
  let written = 0
  for (const table of transferredTables.slice(first)) {
    const rowsTotal = tables[table.name]?.rows ?? 0
    let after = table.name === position?.table ? position.after : undefined
    for (;;) {
      const rows = source.read(table, columns.get(table.name) ?? [], after, batchRows)
      after = keyOf(table, columns, rows.at(-1)) ?? after
      await target.write(table.name, columns.get(table.name) ?? [], rows, {
        table: table.name,
        after,
      })
      written += rows.length
      onProgress({ table: table.name, rows: rows.length, rowsTotal })
      if (rows.length < batchRows) break
    }
  }
  return written
}

function keyOf(
  { name, key }: TransferredTable,
  columns: Columns,
  row: readonly SqlValue[] | undefined,
): SqlValue[] | undefined {
  return row && key.map((column) => row[columns.get(name)?.indexOf(column) ?? -1] ?? null)
}

/** @throws StartError a table of the target differs */
async function compare(target: PostgresTarget, columns: Columns, tables: Tallies): Promise<void> {
  for (const { name } of transferredTables) {
    const copied = await target.tally(name, columns.get(name) ?? [])
    if (isDeepStrictEqual(copied, tables[name])) continue
    throw new StartError(
      `The copy of the table ${name} differs: ${textOf(tables[name])} before, ${textOf(copied)} in ${target.name}. ` +
        'Another program wrote to it. Create an empty database with `createdb`, and migrate to that one.',
    )
  }
}

function textOf(tally: TableTally | undefined): string {
  const sums = Object.entries(tally?.sums ?? {}).map(([name, sum]) => `${name} ${sum}`)
  return [`${tally?.rows ?? 0} rows`, `digest ${tally?.digest ?? ''}`, ...sums].join(', ')
}

/** Says what ended a transfer to the database at `url`, and what to do. */
export function toStartError(error: unknown, url: string): unknown {
  if (error instanceof StartError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // An SQLSTATE (five characters, never without a digit) comes from PostgreSQL: it refused a statement.
  const isRefusal = /^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !/^(08|28|3D|53|57)/.test(code)
  if (isRefusal && code !== '42501')
    return new StartError(
      `PostgreSQL refused the rows: ${error instanceof Error ? error.message : code}. Nothing of the source has changed.`,
      { cause: error },
    )
  if (/terminated|ECONNRESET|57P0|EPIPE|timeout/i.test(`${code} ${String(error)}`))
    return new StartError(
      `The connection to ${withoutPassword(url)} was lost. Run the same command again; it goes on where it stopped.`,
      { cause: error },
    )
  return startErrorOf(error, url)
}
