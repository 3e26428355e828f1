import { setTimeout as delay } from 'node:timers/promises'
import { loadDatabaseUrl, loadDataDir } from '../config.ts'
import { changeConfirmMs } from '../limits.ts'
import { markChanges } from '../storage/change-mark.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { findRunningService } from '../storage/service-file.ts'

const pollMs = 20

/** Opens the database of the configured directory for one command, and closes it afterwards. */
export async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(loadDataDir(process.env), {
    url: loadDatabaseUrl(process.env),
  })
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

/** Like `withDatabase`, for a change of keys or accounts. Returns once a running service has applied the change. */
export async function changeDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const dataDir = loadDataDir(process.env)
  let mark = 0
  await withDatabase(async (database) => {
    await work(database)
    if (findRunningService(dataDir) !== undefined) mark = await markChanges(database, Date.now())
  })
  const endMs = performance.now() + changeConfirmMs
  for (;;) {
    const service = findRunningService(dataDir)
    if (service === undefined || service.changeMark >= mark) return
    if (performance.now() > endMs) break
    await delay(pollMs)
  }
  process.stderr.write(
    'pipit: The change is saved, but the running service has not confirmed it. It follows as soon as it can; see its log if it does not.\n',
  )
}
