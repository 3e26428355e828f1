import { Worker } from 'node:worker_threads'
import { StartError } from '../../errors.ts'
import { databaseOpenTimeoutMs, databaseUpgradeTimeoutMs } from '../storage-limits.ts'
import { entryFile } from '../../paths.ts'
import type { FromThread, ThreadSettings } from './thread-messages.ts'

/** Receives a sentence for the log when the tables are upgraded, and when the upgrade waits for another program. */
export type OnUpgrade = (progress: string) => void

/**
 * Starts the storage thread, and resolves once the database is open.
 * @throws StartError the database cannot be opened
 */
export function startStorageThread(
  settings: ThreadSettings,
  onUpgrade?: OnUpgrade,
): Promise<Worker> {
  const entry = settings.databaseUrl === undefined ? 'storage-thread' : 'postgres-thread'
  const thread = new Worker(entryFile(`storage/threads/${entry}`), {
    workerData: settings,
    // Options of the main program, such as --input-type, may not suit a thread.
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
    name: 'storage',
  })
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      clearTimeout(timer)
      thread.off('message', onMessage).off('error', onError)
      if (error === undefined) return resolve(thread)
      void thread.terminate()
      reject(error)
    }
    const onMessage = (message: FromThread) => {
      if (message.type === 'ready') settle()
      else if (message.type === 'upgrading') {
        clearTimeout(timer)
        timer = setTimeout(onTimeout, databaseUpgradeTimeoutMs)
        onUpgrade?.('upgrading the database, which may take minutes')
      } else if (message.type === 'upgrade-blocked')
        onUpgrade?.(
          'the upgrade of the database waits for a lock of another program, such as pg_dump',
        )
      else if (message.type === 'refused') settle(new StartError(message.message))
    }
    const onError = (cause: Error) =>
      settle(new StartError(`The storage thread did not start: ${cause.message}`, { cause }))
    const onTimeout = () =>
      settle(
        new StartError(
          settings.databaseUrl === undefined
            ? 'The disk of the data directory does not respond. Check the disk.'
            : 'PostgreSQL does not respond. Check PIPIT_DATABASE_URL and the network.',
        ),
      )
    let timer = setTimeout(onTimeout, databaseOpenTimeoutMs)
    thread.on('message', onMessage).on('error', onError)
  })
}
