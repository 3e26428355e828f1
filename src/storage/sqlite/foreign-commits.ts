import type Sqlite from 'better-sqlite3'
import { foreignCommitPollMs } from '../storage-limits.ts'

/** Calls back after commits of other connections, until the database is closed. */
export function watchForeignCommits(db: Sqlite.Database, changed: () => void): void {
  // `data_version` changes with the commits of other connections only.
  const dataVersion = db.prepare('PRAGMA data_version').pluck()
  let seen = dataVersion.get()
  const timer = setInterval(() => {
    if (!db.open) return clearInterval(timer)
    try {
      const version = dataVersion.get()
      if (version === seen) return
      seen = version
      changed()
    } catch {
      // The file is busy or failing: the next poll sees the same change.
    }
  }, foreignCommitPollMs)
  timer.unref()
}
