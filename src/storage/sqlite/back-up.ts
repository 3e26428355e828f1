import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { StartError } from '../../errors.ts'
import { codeOf } from '../storage-fault.ts'
import { openReadOnly } from './sqlite-file.ts'

/**
 * Writes a copy of the database in `dataDir` to the new file `target`, for its owner only, while a service may write.
 * The copy is the state at one moment, is checked page by page, and is on the disk when this returns.
 * @throws StartError with what is wrong and what to do; then there is no file `target`
 */
export function backUp(dataDir: string, target: string): void {
  const path = join(dataDir, 'pipit.db')
  if (!existsSync(path))
    throw new StartError(`${path} is missing. Set PIPIT_DATA_DIR to the directory of the service.`)
  if (existsSync(target))
    throw new StartError(`${target} exists. Name a new file, so that no earlier backup is lost.`)
  const part = `${target}.part`
  try {
    // A file of this name is the rest of a backup that was interrupted.
    rmSync(part, { force: true })
    closeSync(openSync(part, 'wx', 0o600))
    copy(dataDir, part)
    check(part)
    sync(part)
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

/** The statement reads in one transaction, so the copy is the state at its begin. Free pages are left out. */
function copy(dataDir: string, target: string): void {
  const db = openReadOnly(dataDir)
  try {
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
