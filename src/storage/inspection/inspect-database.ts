import type Sqlite from 'better-sqlite3'
import { codeOf } from '../storage-fault.ts'
import { schemaVersion } from '../sqlite/migrate.ts'
import { foreignFault, openReadOnly } from '../sqlite/sqlite-file.ts'

/** Maximum number of faults to report; a damaged file can have thousands. */
const faultsMax = 5

/**
 * Checks the file without changing it. `full` also checks that each index matches its table, which takes several times
 * as long.
 * @returns each fault as a phrase that follows the file's name; empty if the file is intact
 */
export function inspectDatabase(dataDir: string, { full }: { full: boolean }): string[] {
  let db: Sqlite.Database | undefined
  try {
    db = openReadOnly(dataDir)
    const foreign = foreignFault(db)
    if (foreign !== undefined) return [foreign]
    const check = full ? 'integrity_check' : 'quick_check'
    const rows = db.pragma(`${check}(${faultsMax})`) as Record<string, unknown>[]
    const damages = rows.map((row) => String(Object.values(row)[0])).filter((text) => text !== 'ok')
    if (damages.length > 0) return damages.map((text) => `is damaged: ${oneLine(text)}`)
    const version = db.prepare('SELECT max(version) FROM schema_migrations').pluck().get() as number
    if (version > schemaVersion)
      return [
        `was written by a newer Pipit (schema ${version}; this version supports up to ${schemaVersion}): start that version`,
      ]
    const strays = (db.pragma('foreign_key_check') as unknown[]).length
    return strays === 0 ? [] : [`has ${strays} rows that refer to missing ones`]
  } catch (error) {
    return [faultOf(error)]
  } finally {
    db?.close()
  }
}

function faultOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (/no such (table|column)/.test(message))
    return `has tables of another version (${message}): start the service once, which upgrades them`
  const code = codeOf(error)
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return `is damaged: ${oneLine(message)}`
  return `cannot be read (${code || message})`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200)
}
