import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openReadOnly } from '../sqlite/sqlite-file.ts'

/** Tells whether the database has an API key, in any state. Returns undefined if it cannot be read. */
export function hasKey(dataDir: string): boolean | undefined {
  if (!existsSync(join(dataDir, 'pipit.db'))) return false
  try {
    const db = openReadOnly(dataDir)
    try {
      return db.prepare('SELECT 1 FROM api_keys LIMIT 1').get() !== undefined
    } finally {
      db.close()
    }
  } catch {
    // The check of the database says why.
    return undefined
  }
}
