import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { StartError } from '../../errors.ts'
import { codeOf } from '../storage-fault.ts'
import { foreignFault, openReadOnly } from './sqlite-file.ts'

/**
 * Copies the database in `dataDir` to the new file `target`, readable by its owner only. A service may keep writing.
 * The copy is the state at one moment. It is checked with `quick_check`, and is on disk when this returns.
 * @throws StartError with what is wrong and what to do; no partial file remains
 */
export function backUp(dataDir: string, target: string): void {
  const path = join(dataDir, 'pipit.db')
  if (!existsSync(path))
    throw new StartError(`${path} is missing. Set PIPIT_DATA_DIR to the directory of the service.`)
  requireMissing(target)
  // Another backup to the same target may be running.
  const part = `${target}.${process.pid}.part`
  try {
    // A file of this name is left over from an interrupted backup.
    rmSync(part, { force: true })
    closeSync(openSync(part, 'wx', 0o600))
    copy(dataDir, part)
    check(part)
    sync(part)
    requireMissing(target)
    renameSync(part, target)
    sync(dirname(target))
  } catch (error) {
    rmSync(part, { force: true })
    if (error instanceof StartError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `The backup ${target} cannot be written (${codeOf(error) || why}). Check that its directory exists and that its disk ` +
        'has room, and run `pipit doctor`.',
      { cause: error },
    )
  }
}

function requireMissing(target: string): void {
  if (existsSync(target))
    throw new StartError(`${target} exists. Name a new file, so that no earlier backup is lost.`)
}

/** The statement reads in one transaction, so the copy is the state at its start. Free pages are left out. */
function copy(dataDir: string, target: string): void {
  const db = openReadOnly(dataDir)
  try {
    const fault = foreignFault(db)
    if (fault !== undefined)
      throw new StartError(`${join(dataDir, 'pipit.db')} ${fault}. There is nothing to back up.`)
    db.prepare('vacuum into ?').run(target)
  } finally {
    db.close()
  }
}

function check(target: string): void {
  const db = new Sqlite(target, { readonly: true })
  try {
    const found = db.pragma('quick_check(1)', { simple: true })
    if (found !== 'ok')
      throw new StartError(
        'The database is damaged, so its copy was deleted. Run `pipit doctor`, and restore the last backup.',
      )
  } finally {
    db.close()
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
