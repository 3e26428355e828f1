import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { StartError } from '../../errors.ts'
import { ballastBytes, ballastRetryMs } from '../storage-limits.ts'
import { Ballast } from '../sqlite/ballast.ts'
import { watchForeignCommits } from '../sqlite/foreign-commits.ts'
import { GroupCommit } from '../sqlite/group-commit.ts'
import { lockDataDir, makeDataDir, openSqliteFile } from '../sqlite/sqlite-file.ts'
import type { Statement } from '../statement.ts'
import { toFault } from '../storage-fault.ts'
import type { Unit } from '../unit.ts'
import { textRestorer } from './known-texts.ts'
import type { FromThread, ThreadSettings, ToThread } from './thread-messages.ts'

assert(parentPort !== null, 'this file runs as a worker thread')
await serve(parentPort, workerData)

/** Owns this process's only connection for writes until a `close` message. */
async function serve(port: MessagePort, settings: ThreadSettings): Promise<void> {
  const post = (message: FromThread) => port.postMessage(message)
  const { dataDir } = settings
  try {
    makeDataDir(dataDir)
    const lock = settings.serve ? lockDataDir(dataDir) : undefined
    const ballast = settings.serve ? takeBallast(dataDir) : undefined
    const db = await openSqliteFile(dataDir, settings.serve, () => post({ type: 'upgrading' }))
    if (settings.lockWaitMs !== undefined) db.pragma(`busy_timeout = ${settings.lockWaitMs}`)
    answerMessages(port, post, { db, lock, ballast })
    post({ type: 'ready' })
  } catch (error) {
    const message =
      error instanceof StartError ? error.message : `${dataDir} cannot be used: ${String(error)}`
    post({ type: 'refused', message })
  }
}

function takeBallast(dataDir: string): Ballast {
  const ballast = new Ballast(join(dataDir, 'ballast'))
  if (!ballast.take())
    throw new StartError(
      `The disk of ${dataDir} has less than ${ballastBytes / 1024 / 1024} MiB left. Free some space.`,
    )
  return ballast
}

type Files = {
  db: Sqlite.Database
  lock: Sqlite.Database | undefined
  ballast: Ballast | undefined
}

function answerMessages(port: MessagePort, post: (message: FromThread) => void, files: Files) {
  const store = new GroupCommit(files.db, files.ballast)
  const restore = textRestorer()
  let recovery: NodeJS.Timeout | undefined

  function write(units: readonly Unit[]): void {
    const wasFailed = store.failed !== undefined
    const results = store.write(units)
    if (store.failed !== undefined && !wasFailed) post({ type: 'failed', fault: store.failed })
    if (store.full && recovery === undefined) {
      post({ type: 'full', full: true })
      recovery = setInterval(recover, ballastRetryMs)
    }
    post({ type: 'written', results })
  }

  function recover(): void {
    store.tryToRecover()
    if (store.full) return
    clearInterval(recovery)
    recovery = undefined
    post({ type: 'full', full: false })
  }

  function read(id: number, statement: Statement): void {
    try {
      post({ type: 'read', id, rows: store.read(statement) })
    } catch (error) {
      post({ type: 'read-failed', id, fault: toFault(error) })
    }
  }

  function close(): void {
    try {
      files.db.close()
      files.lock?.close()
    } finally {
      post({ type: 'closed' })
      port.close()
      clearInterval(recovery)
    }
  }

  port.on('message', (message: ToThread) => {
    switch (message.type) {
      case 'write':
        return write(message.units.map(restore))
      case 'read':
        return read(message.id, message.statement)
      case 'watch':
        return watchForeignCommits(files.db, () => post({ type: 'changed' }))
      case 'close':
        return close()
    }
  })
}
