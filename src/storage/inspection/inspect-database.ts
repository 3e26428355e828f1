import type Sqlite from 'better-sqlite3'
import { codeOf } from '../storage-fault.ts'
import { schemaVersion } from '../sqlite/migrate.ts'
import { foreignFault, openReadOnly } from '../sqlite/sqlite-file.ts'

/** Maximum number of faults to report; a damaged file can have thousands. */
const faultsMax = 5

/** Restoring a backup loses later data, so only damage calls for it. */
const restore =
  'Stop the service, keep a copy of the directory and restore the last backup; see docs/backup.md.'

const moveAway = 'Set PIPIT_DATA_DIR to another directory, or move the file away.'

type DatabaseFault = {
  /** Phrase that follows the file's name. */
  text: string
  remedy: string
}

/**
 * Checks the file without changing it. `full` also checks that each index matches its table, which takes several times
 * as long. Returns undefined if the file is intact.
 */
export function inspectDatabase(
  dataDir: string,
  { full }: { full: boolean },
): DatabaseFault | undefined {
  let db: Sqlite.Database | undefined
  try {
    db = openReadOnly(dataDir)
    const foreign = foreignFault(db)
    if (foreign !== undefined) {
      // An empty file has lost its content.
      const isEmpty = db.pragma('page_count', { simple: true }) === 0
      return { text: foreign, remedy: isEmpty ? restore : moveAway }
    }
    const check = full ? 'integrity_check' : 'quick_check'
    const rows = db.pragma(`${check}(${faultsMax})`) as Record<string, unknown>[]
    const damages = rows.map((row) => String(Object.values(row)[0])).filter((text) => text !== 'ok')
    if (damages.length > 0)
      return {
        text: damages.map((text) => `is damaged: ${oneLine(text)}`).join('; '),
        remedy: restore,
      }
    const version = db.prepare('SELECT max(version) FROM schema_migrations').pluck().get() as number
    if (version > schemaVersion)
      return {
        text: `was written by a newer Pipit (schema ${version}; this version supports up to ${schemaVersion})`,
        remedy: 'Start that version of Pipit.',
      }
    const strays = (db.pragma('foreign_key_check') as unknown[]).length
    if (strays === 0) return undefined
    return { text: `has ${strays} rows that refer to missing ones`, remedy: restore }
  } catch (error) {
    return faultOf(error)
  } finally {
    db?.close()
  }
}

function faultOf(error: unknown): DatabaseFault {
  const message = error instanceof Error ? error.message : String(error)
  if (/no such (table|column)/.test(message))
    return {
      text: `has tables of another version (${message})`,
      remedy: 'Start the service once, which upgrades them.',
    }
  const code = codeOf(error)
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code))
    return { text: `is damaged: ${oneLine(message)}`, remedy: restore }
  const isLocked = /^SQLITE_(BUSY|LOCKED)/.test(code)
  return {
    text: `cannot be read (${code || message})`,
    remedy: isLocked
      ? 'Another process locks the file. Stop that process, or run this command again later.'
      : 'Give your user access to the file, and check its disk.',
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200)
}
