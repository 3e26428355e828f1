import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openReadOnly } from '../sqlite/sqlite-file.ts'

/** Counts the API keys that a start would accept. Returns undefined if the database cannot be read. */
export function countUsableKeys(dataDir: string, nowMs: number): number | undefined {
  if (!existsSync(join(dataDir, 'pipit.db'))) return 0
  try {
    const db = openReadOnly(dataDir)
    try {
      const count = db.prepare(
        `SELECT count(*) FROM api_keys JOIN accounts ON accounts.id = account_id
        WHERE revoked_ms IS NULL AND disabled_ms IS NULL AND coalesce(expires_ms, ?) >= ?`,
      )
      return Number(count.pluck().get(nowMs, nowMs))
    } finally {
      db.close()
    }
  } catch {
    // The check of the database says why.
    return undefined
  }
}
