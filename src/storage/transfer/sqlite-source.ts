import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { StartError } from '../../errors.ts'
import { toPostgresValues } from '../postgres/to-postgres.ts'
import { applicationId, lockDataDir } from '../sqlite/sqlite-file.ts'
import { schemaVersion } from '../sqlite/migrate.ts'
import { isServed } from '../service-file.ts'
import { codeOf } from '../storage-fault.ts'
import type { SqlValue } from '../statement.ts'
import { type TableTally, Tally } from './tally.ts'
import { quoted, transferredTables, type TransferredTable } from './transferred-tables.ts'

const fileName = 'pipit.db'

/**
 * The database file that a transfer reads and does not change. Until it is closed, no service or command can write to
 * it.
 */
export class SqliteSource {
  readonly path: string
  readonly #db: Sqlite.Database
  readonly #lock: Sqlite.Database | undefined

  private constructor(path: string, db: Sqlite.Database, lock: Sqlite.Database | undefined) {
    this.path = path
    this.#db = db
    this.#lock = lock
  }

  /**
   * Opens a database file, or the one of a data directory.
   * @throws StartError with what is wrong with it and what to do
   */
  static open(fileOrFolder: string): SqliteSource {
    const path = findFile(fileOrFolder)
    let db: Sqlite.Database | undefined
    let lock: Sqlite.Database | undefined
    try {
      db = new Sqlite(path, { fileMustExist: true, timeout: 0 })
      checkTables(db, path)
      // A file with another name, such as a backup, needs no lock, because no service uses it. A link may have any name.
      const served = [path, realpathSync(path)].find((one) => basename(one) === fileName)
      if (served !== undefined) lock = lockStopped(dirname(served))
      db.exec('begin immediate')
      return new SqliteSource(path, db, lock)
    } catch (error) {
      db?.close()
      lock?.close()
      throw toStartError(error, path)
    }
  }

  /** Returns the names of the table's columns. */
  columns(table: string): string[] {
    return this.#db.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]
  }

  /**
   * Returns at most `limit` rows after the row with the key `after`, in the order of their keys. Their values are those
   * that PostgreSQL accepts, here and in `tally`, so that the tallies of both databases agree.
   */
  read(
    { name, key }: TransferredTable,
    columns: readonly string[],
    after: readonly SqlValue[] | undefined,
    limit: number,
  ): SqlValue[][] {
    const keys = key.map(quoted).join(', ')
    const where = after === undefined ? '' : `where (${keys}) > (${key.map(() => '?').join(', ')})`
    const sql = `select ${columns.map(quoted).join(', ')} from ${quoted(name)} ${where} order by ${keys} limit ?`
    const rows = this.#db
      .prepare(sql)
      .raw()
      .all(...(after ?? []), limit) as SqlValue[][]
    return rows.map(toPostgresValues)
  }

  tally(table: string, columns: readonly string[]): TableTally {
    const tally = new Tally(columns)
    const sql = `select ${columns.map(quoted).join(', ')} from ${quoted(table)}`
    for (const row of this.#db.prepare(sql).raw().iterate())
      tally.add(toPostgresValues(row as SqlValue[]))
    return tally.result
  }

  close(): void {
    this.#db.close()
    this.#lock?.close()
  }
}

function findFile(fileOrFolder: string): string {
  const facts = statSync(fileOrFolder, { throwIfNoEntry: false })
  const path = facts?.isDirectory() === true ? join(fileOrFolder, fileName) : fileOrFolder
  if (existsSync(path)) return path
  throw new StartError(`${path} does not exist. Name the database file or the data directory.`)
}

function lockStopped(dataDir: string): Sqlite.Database {
  if (isServed(dataDir))
    throw new StartError(
      `A service runs on ${dataDir}. Stop it first: its next requests would be missing from the copy.`,
    )
  return lockDataDir(dataDir)
}

function checkTables(db: Sqlite.Database, path: string): void {
  if (db.pragma('application_id', { simple: true }) !== applicationId)
    throw new StartError(`${path} is not a database of Pipit. Name its file or data directory.`)
  const version = Number(db.prepare('select max(version) from schema_migrations').pluck().get())
  if (version < schemaVersion)
    throw new StartError(
      `${path} has tables of an earlier version (schema ${version}; this version needs ${schemaVersion}). ` +
        'Start the service on it once, which upgrades it, and stop it.',
    )
  if (version > schemaVersion)
    throw new StartError(
      `${path} was written by a newer Pipit (schema ${version}; this version supports up to ${schemaVersion}). Use that version.`,
    )
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[]
  const known = new Set(['schema_migrations', ...transferredTables.map(({ name }) => name)])
  const unknown = tables.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new StartError(
      `${path} has tables that Pipit does not know (${unknown.join(', ')}). Move them to another file.`,
    )
}

function toStartError(error: unknown, path: string): unknown {
  if (error instanceof StartError) return error
  const code = codeOf(error)
  const refuse = (text: string) => new StartError(`${path} ${text}`, { cause: error })
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return refuse('is being written by another program. Stop the service and other commands first.')
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code))
    return refuse('is damaged, or no database. Run `pipit doctor`, or restore a backup.')
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code))
    return refuse(
      `cannot be locked (${code}). Run this command as the user that runs Pipit, who can write to the file and its directory.`,
    )
  if (code.startsWith('SQLITE_')) return refuse(`cannot be read (${code}). Run \`pipit doctor\`.`)
  return error
}
