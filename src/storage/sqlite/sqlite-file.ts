import { createHash } from 'node:crypto'
import { accessSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { StartError } from '../../errors.ts'
import {
  busyTimeoutMs,
  checkedAtStartBytesMax,
  migrationCacheKib,
  pageCacheKib,
  serveLockWaitMs,
  walCheckpointPages,
  walKeptBytesMax,
} from '../storage-limits.ts'
import { migrate } from './migrate.ts'
import { alreadyServed, isServed } from '../service-file.ts'
import { codeOf } from '../storage-fault.ts'
import type { Tables } from '../tables.ts'

/** 'PIPT', at byte 68 of the file: marks a database of Pipit. */
export const applicationId = 0x50495054

/**
 * Opens or creates `<dataDir>/pipit.db` and upgrades its tables.
 * @throws StartError with what is wrong with the directory or the file, and what to do
 */
export async function openSqliteFile(
  dataDir: string,
  serve: boolean,
  onUpgrade?: () => void,
): Promise<Sqlite.Database> {
  const path = join(dataDir, 'pipit.db')
  const isNew = createFile(path)
  if (!isNew) await awaitContent(path)
  let db: Sqlite.Database | undefined
  try {
    // SQLite would open a file that may not be written for reading only, and the first request would fail.
    accessSync(path, constants.R_OK | constants.W_OK)
    db = new Sqlite(path, { fileMustExist: true, timeout: busyTimeoutMs })
    refuseForeign(db, path)
    setUp(db)
    if (serve) refuseDamaged(db, path)
    db.pragma(`cache_size = ${-migrationCacheKib}`)
    await upgrade(db, path, () => {
      // Its program does not know the new tables, and could not start on them again.
      if (!serve && isServed(dataDir)) throw usedByEarlierVersion(path)
      onUpgrade?.()
    })
    db.pragma(`cache_size = ${-pageCacheKib}`)
    return db
  } catch (error) {
    db?.close()
    throw toStartError(error, path)
  }
}

/** Upgrades the tables. Data that an upgrade removes, such as a secret, is erased from free pages and the journal. */
async function upgrade(db: Sqlite.Database, path: string, onUpgrade: () => void): Promise<void> {
  let upgraded = false
  db.pragma('secure_delete = ON')
  db.function('sha256', { deterministic: true }, (text) =>
    createHash('sha256').update(String(text)).digest('hex'),
  )
  await migrate(new Kysely<Tables>({ dialect: new SqliteDialect({ database: db }) }), {
    path,
    nowMs: Date.now(),
    onNew: () => db.pragma(`application_id = ${applicationId}`),
    onUpgrade: () => {
      upgraded = true
      onUpgrade()
    },
  })
  db.pragma('secure_delete = OFF')
  if (upgraded) db.pragma('wal_checkpoint(TRUNCATE)')
}

/** Opens a second, read-only connection to the database. */
export function openReadOnly(dataDir: string): Sqlite.Database {
  const db = new Sqlite(join(dataDir, 'pipit.db'), { readonly: true, timeout: busyTimeoutMs })
  db.pragma('mmap_size = 0')
  db.pragma(`cache_size = ${-pageCacheKib}`)
  return db
}

/** Returns why the file holds no data of Pipit, as a phrase that follows its name; undefined if it does. */
export function foreignFault(db: Sqlite.Database): string | undefined {
  if (db.pragma('page_count', { simple: true }) === 0) return 'is empty'
  const tables = db.prepare('SELECT name FROM sqlite_schema').pluck().all()
  const isOurs = db.pragma('application_id', { simple: true }) === applicationId
  return isOurs && tables.includes('schema_migrations')
    ? undefined
    : 'is not a database of Pipit: check PIPIT_DATA_DIR'
}

/** Creates the directory, accessible by its owner only, because its files record who sent how many requests. */
export function makeDataDir(dataDir: string): void {
  try {
    makeDirectory(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw toStartError(error, dataDir)
  }
}

// Node's recursive mkdir never returns for some paths, such as those under /proc.
function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && statSync(path).isDirectory()) return
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    makeDirectory(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}

/**
 * Takes the lock of a serving process until the returned connection is closed or the process ends. Waits up to
 * `serveLockWaitMs`, because a command that checks whether a service runs shares the lock for a moment.
 * @throws StartError if another process holds the lock
 */
export function lockDataDir(dataDir: string): Sqlite.Database {
  const path = join(dataDir, 'serve.lock')
  createFile(path)
  let lock: Sqlite.Database | undefined
  try {
    lock = new Sqlite(path, { fileMustExist: true, timeout: serveLockWaitMs })
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if (codeOf(error).startsWith('SQLITE_BUSY')) throw alreadyServed(dataDir)
    throw toStartError(error, path)
  }
}

/**
 * Like `lockDataDir`, for a service whose data is in PostgreSQL: it works without the lock, but then commands on this
 * machine do not find it. Returns undefined if another process holds the lock or the directory cannot be written.
 */
export function tryLockDataDir(dataDir: string): Sqlite.Database | undefined {
  try {
    makeDataDir(dataDir)
    return lockDataDir(dataDir)
  } catch {
    return undefined
  }
}

/** Creates the file if it is missing. Returns false if it exists. */
function createFile(path: string): boolean {
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (wal !== undefined && wal.size > 0 && !exists(path))
    throw new StartError(
      `${path} is missing, but its journal ${path}-wal exists. Put the database back, or restore a backup.`,
    )
  try {
    // SQLite copies the mode of this file to the -wal and -shm files.
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw toStartError(error, path)
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/**
 * Waits until another process that has just created the file has written to it. A file that stays empty has lost its
 * content.
 */
async function awaitContent(path: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    if (statSync(path).size > 0) return
    await delay(50)
  }
  throw new StartError(
    `${path} is empty. Restore a backup, or delete the file to start with a new database.`,
  )
}

function refuseForeign(db: Sqlite.Database, path: string): void {
  const id = db.pragma('application_id', { simple: true })
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()
  if (id !== applicationId && !(id === 0 && tables === 0))
    throw new StartError(
      `${path} is not a database of Pipit. Set PIPIT_DATA_DIR to another directory, or move the file away.`,
    )
}

function setUp(db: Sqlite.Database): void {
  db.pragma('journal_mode = WAL')
  // The driver's default in WAL mode is NORMAL, which loses commits when the power fails.
  db.pragma('synchronous = FULL')
  db.pragma(`busy_timeout = ${busyTimeoutMs}`)
  db.pragma('mmap_size = 0')
  db.pragma(`cache_size = ${-pageCacheKib}`)
  db.pragma('foreign_keys = ON')
  db.pragma(`wal_autocheckpoint = ${walCheckpointPages}`)
  db.pragma(`journal_size_limit = ${walKeptBytesMax}`)
}

function refuseDamaged(db: Sqlite.Database, path: string): void {
  if (statSync(path).size > checkedAtStartBytesMax) return
  const found = db.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw damaged(path, String(found))
}

function usedByEarlierVersion(path: string): StartError {
  return new StartError(
    `A service of an earlier version uses ${path}. Stop it and start this version, which upgrades the tables. ` +
      'Then run the command again.',
  )
}

function damaged(path: string, how: string): StartError {
  return new StartError(
    `${path} is damaged (${how.replaceAll(/\s+/g, ' ').slice(0, 200)}). Restore a backup, or move it away together with ` +
      'its -wal and -shm files to start with a new database.',
  )
}

function toStartError(error: unknown, path: string): unknown {
  if (error instanceof StartError) return error
  const code = codeOf(error)
  const refuse = (text: string) => new StartError(`${path} ${text}`, { cause: error })
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return refuse('is not a directory. Set PIPIT_DATA_DIR to a directory.')
    case 'ENOENT':
      return refuse('cannot be created. Set PIPIT_DATA_DIR to another directory.')
    case 'EISDIR':
      return refuse('is a directory, not a file. Move it away.')
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return refuse(
        `cannot be written (${code}). Give the user that runs Pipit access to it, or set PIPIT_DATA_DIR to another directory.`,
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return refuse(`cannot be written, because its disk is full (${code}). Free some space.`)
  }
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return damaged(path, messageOf(error))
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code))
    return refuse(
      `cannot be opened for writing (${code}). Give the user that runs Pipit access to it and its directory.`,
    )
  if (/^SQLITE_(FULL|IOERR_SHMSIZE)/.test(code))
    return refuse(`cannot be written, because its disk is full (${code}). Free some space.`)
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return refuse(`was locked by another process for ${busyTimeoutMs / 1000} s. Stop that process.`)
  if (/^(SQLITE_|E[A-Z]+$)/.test(code)) return refuse(`cannot be used (${code}). Check its disk.`)
  return error
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
